/**
 * How Postgres answers every list on the large seed: organizations of five thousand members and twenty-five thousand invoices.
 * @jest-environment-options {"seed": "large"}
 */
import { z } from 'zod';
import { makeWaiting } from '../../../development/bench/waiting.js';
import { GIFTS_PER_DONOR, INTERNAL_SLUG, YEAR_ROUND_SLUG } from '../../../development/seeding/large/gifts.js';
import { refreshStatistics } from '../../../development/seeding/large/statistics.js';
import { seedLarge } from '../../../development/seeding/large/seedLarge.js';
import type { Route } from '../../../api/http/routes.js';
import { allRoutes } from '../../../api/routes.js';
import { MAX_TARGETS } from '../../../models/processes/bulk-actions/ProcessBulkAction.js';
import { hashToken, newToken } from '../../../models/identity/secretTokens.js';
import { Client, type RunningApi, startApi } from '../../support/api.js';
import { asOwner, closeOwner, overOwner } from '../../support/owner.js';
import { TESTED } from '../../support/environment/largeScale.js';
import { aPlatformAdmin, signIn } from '../../support/world.js';
import { APPROVALS, ELSEWHERE, type Ids, type List, LISTS } from './lists.js';
import { type Explained, explain, tellPlans } from './plans.js';

const SEEDING_MS = 600_000;
/** A sequential scan of a table with fewer rows is no mistake. Each of five organizations has a thousand pledges. */
const LARGE_ROWS = 5_000;

let api: RunningApi;
let large: Set<string>;
let ids: Ids;
let readers: Record<List['as'], Client>;
/** An organization in which thousands of requests are pending. */
let decides: { admin: Client; organization: string; chapter: string };

beforeAll(async () => {
  const { organizations } = await seedLarge(process.env['DATABASE_OWNER_URL'] as string, { scale: TESTED });
  const tables = await asOwner<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples >= $1`,
    [LARGE_ROWS],
  );
  large = new Set(tables.map(({ relname }) => relname));
  const organization = organizations[organizations.length >> 1];
  const chapter = organization?.chapters[1];
  if (!organization || !chapter) throw new Error('The seed has no organization with a second chapter.');
  const rollover = await aRollover(organization.id);
  const imported = await anImport(organization.id);
  const bulkAction = await aBulkAction(organization.id);
  const consents = await aConsent(organization.id);
  const recruitment = await theRecruitment(organization.id);
  await tellPlans();
  const [busy] = organizations;
  await makeWaiting(asOwner, busy?.id as string, APPROVALS.waiting);
  const [found] = await asOwner<Pick<Ids, 'membership' | 'user' | 'region' | 'slug'>>(
    `SELECT c.membership_id AS membership, m.user_id AS "user", h.region_id AS region, o.slug
       FROM chapter_account_credits c JOIN memberships m ON m.id = c.membership_id JOIN chapters h ON h.id = c.chapter_id
       JOIN organizations o ON o.id = c.organization_id
      WHERE c.chapter_id = $1 ORDER BY c.id LIMIT 1`,
    [chapter.id],
  );
  ids = {
    organization: organization.id,
    chapter: chapter.id,
    term: organization.term_id,
    rollover,
    import: imported,
    bulkAction,
    consents,
    recruitment,
    pnm: await aProspectWithLetters(organization.id),
    invoice: await aDiscountedInvoice(organization.id),
    ...(await theCampaign(organization.id)),
    ...(await theForum(organization.id, (found as Pick<Ids, 'user'>).user)),
    ...(found as Pick<Ids, 'membership' | 'user' | 'region' | 'slug'>),
  };
  api = await startApi();
  const reader = async (userId: string) => new Client(api.url, { token: await signIn(userId, organization.id) });
  readers = {
    admin: await reader(await userOf(organization.admin_email)),
    officer: await reader(await userOf(chapter.officer_email)),
    member: await reader(ids.user),
    platformAdmin: new Client(api.url, { token: (await aPlatformAdmin()).token }),
  };
  decides = {
    admin: new Client(api.url, { token: await signIn(await userOf(busy?.admin_email as string), busy?.id as string) }),
    organization: busy?.id as string,
    chapter: busy?.chapters[1]?.id as string,
  };
}, SEEDING_MS);

afterAll(async () => {
  await api?.close();
  await closeOwner();
});

/** The campaign of the foundation to which every third gift went, and its last gift. */
async function theCampaign(
  organizationId: string,
): Promise<Pick<Ids, 'foundation' | 'campaign' | 'fund' | 'donor' | 'donation' | 'bulletin'>> {
  const [found] = await asOwner<Pick<Ids, 'foundation' | 'campaign' | 'fund' | 'donor' | 'donation' | 'bulletin'>>(
    `SELECT f.id AS foundation, c.id AS campaign, c.fund_id AS fund, d.donor_id AS donor, d.id AS donation,
            (SELECT b.id FROM foundation_bulletins b WHERE b.organization_id = $1 AND b.status = 'sent' LIMIT 1) AS bulletin
       FROM foundation_configs f JOIN campaigns c ON c.organization_id = f.organization_id AND c.slug = $2
       JOIN donations d ON d.organization_id = c.organization_id AND d.campaign_id = c.id AND d.status = 'completed'
      WHERE f.organization_id = $1 ORDER BY d.id DESC LIMIT 1`,
    [organizationId, YEAR_ROUND_SLUG],
  );
  return found as NonNullable<typeof found>;
}

/** The forum of all people, its thread with most comments, and one of these. */
async function theForum(organizationId: string, author: string): Promise<Pick<Ids, 'forum' | 'thread' | 'comment'>> {
  const [found] = await asOwner<Pick<Ids, 'forum' | 'thread' | 'comment'>>(
    `SELECT f.id AS forum, p.id AS thread, (SELECT c.id FROM forum_comments c WHERE c.post_id = p.id LIMIT 1) AS comment
       FROM forums f JOIN forum_posts p ON p.forum_id = f.id
      WHERE f.organization_id = $1 AND f.chapter_id IS NULL ORDER BY p.comment_count DESC LIMIT 1`,
    [organizationId],
  );
  // Words that a few texts of this organization have, and many of another one.
  await asOwner(
    `WITH other AS (INSERT INTO forums (organization_id, name) SELECT id, 'Orchard' FROM organizations WHERE id <> $1 LIMIT 1
                    RETURNING organization_id, id)
     INSERT INTO forum_posts (organization_id, forum_id, author_id, title, body, body_html, request_hash)
     SELECT f.organization_id, f.id, $3, 'Kumquat', 'Quince', '<p>Quince</p>', 'x'
       FROM (SELECT organization_id, id, 5000 AS number FROM other UNION ALL SELECT $1, $2, 10) f, generate_series(1, f.number)`,
    [organizationId, found?.forum, author],
  );
  await overOwner((client) => refreshStatistics(client, ['forum_posts']));
  return found as NonNullable<typeof found>;
}

/** A dues run for every undergraduate. @returns its id */
async function aRollover(organizationId: string): Promise<string> {
  const [made] = await asOwner<{ id: string }>(
    `INSERT INTO rollovers (organization_id, academic_year, through_season, to_status, preview_hash, status, ended_at)
     VALUES ($1, 2027, 'SPRING', 'alumni', repeat('0', 64), 'cancelled', now()) RETURNING id`,
    [organizationId],
  );
  await asOwner(
    `INSERT INTO rollover_lines (organization_id, rollover_id, membership_id, chapter_id, status, role, graduation_year)
     SELECT organization_id, $2, id, chapter_id, status, role, 2027 FROM memberships
      WHERE organization_id = $1 AND status = 'undergrad'`,
    [organizationId, made?.id],
  );
  await asOwner('VACUUM (ANALYZE) rollover_lines');
  return made?.id as string;
}

/** An import with a line for every member. @returns its id */
async function anImport(organizationId: string): Promise<string> {
  const [made] = await asOwner<{ id: string }>(
    `INSERT INTO bulk_imports (organization_id, file_name, stage) VALUES ($1, 'roster.csv', 'preview') RETURNING id`,
    [organizationId],
  );
  await asOwner(
    `INSERT INTO bulk_import_rows (organization_id, import_id, line, cells, outcome)
     SELECT organization_id, $2, row_number() OVER (ORDER BY id) + 1, '["somebody@example.org"]', 'create' FROM memberships
      WHERE organization_id = $1`,
    [organizationId, made?.id],
  );
  await asOwner('VACUUM (ANALYZE) bulk_import_rows');
  return made?.id as string;
}

/** Bulk actions on processes, each with as many targets as possible. @returns the id of one */
async function aBulkAction(organizationId: string): Promise<string> {
  const made = await asOwner<{ id: string }>(
    `INSERT INTO process_bulk_actions (organization_id, action, reason, requested_by, audiences, targets_digest, preview_hash,
         targets_total, status, ended_at)
     SELECT $1, 'retry', 'Test', (SELECT user_id FROM organization_admins WHERE organization_id = $1 LIMIT 1), '{organization}',
            'x', encode(sha256(n::text::bytea), 'hex'), $2, 'stopped', now() FROM generate_series(1, 100) n RETURNING id`,
    [organizationId, MAX_TARGETS],
  );
  await asOwner(
    `INSERT INTO process_bulk_action_targets (organization_id, bulk_action_id, sequence, workflow_id)
     SELECT organization_id, id, n, 'overdue/x/' || n FROM process_bulk_actions, generate_series(1, $1::int) n`,
    [MAX_TARGETS],
  );
  await asOwner('VACUUM (ANALYZE) process_bulk_actions, process_bulk_action_targets');
  return made[0]?.id as string;
}

/** The recruitment period in which most prospects arrived. @returns its id */
async function theRecruitment(organizationId: string): Promise<string> {
  const [one] = await asOwner<{ id: string }>(
    `SELECT id FROM recruitment_periods WHERE organization_id = $1 AND status = 'closed'`,
    [organizationId],
  );
  return one?.id as string;
}

/** A provider, cheaper than the default one. @returns its id */
async function aDiscountedInvoice(organizationId: string): Promise<string> {
  const [one] = await asOwner<{ id: string }>(
    'SELECT invoice_id AS id FROM invoice_discounts WHERE organization_id = $1 ORDER BY id LIMIT 1',
    [organizationId],
  );
  return one?.id as string;
}

/** A prospect with letters, like all prospects. @returns its id */
async function aProspectWithLetters(organizationId: string): Promise<string> {
  await asOwner(
    `INSERT INTO pnm_reference_letters (organization_id, profile_id, name, email, status, closed_at, expires_at)
     SELECT organization_id, id, 'Referee', n || '@example.org', 'cancelled', now(), now()
       FROM pnm_profiles, generate_series(1, 5) n WHERE organization_id = $1`,
    [organizationId],
  );
  await asOwner('VACUUM (ANALYZE) pnm_reference_letters');
  const [one] = await asOwner<{ id: string }>('SELECT id FROM pnm_profiles WHERE organization_id = $1 LIMIT 1', [
    organizationId,
  ]);
  return one?.id as string;
}

/** A form for every member, which half have signed. @returns its id */
async function aConsent(organizationId: string): Promise<string> {
  const [made] = await asOwner<{ id: string }>(
    `INSERT INTO consent_templates (organization_id, audience, title, body_text)
     VALUES ($1, 'members', 'Code of conduct', 'I keep to it.') RETURNING id`,
    [organizationId],
  );
  await asOwner(
    `INSERT INTO consent_versions (organization_id, template_id, number, title, method, text_hash) VALUES ($1, $2, 1, '', '', '')`,
    [organizationId, made?.id],
  );
  await asOwner(
    `INSERT INTO consent_records (organization_id, template_id, version, text_hash, user_id, ordinal, kind)
     SELECT v.organization_id, v.template_id, v.number, v.text_hash, who.user_id, 1, 'given' FROM consent_versions v
       JOIN (SELECT user_id, row_number() OVER (ORDER BY user_id) AS n FROM memberships WHERE organization_id = $1 GROUP BY user_id) who
         ON who.n % 2 = 0
      WHERE v.organization_id = $1 AND v.template_id = $2`,
    [organizationId, made?.id],
  );
  await asOwner('VACUUM (ANALYZE) consent_records');
  return made?.id as string;
}

const userOf = async (email: string): Promise<string> =>
  (await asOwner<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]))[0]?.id as string;

type Described = Pick<z.core.JSONSchema.BaseSchema, 'type' | 'properties'>;

/** JSON Schema of something that may have a name of its own in the docs. */
function described(schema: z.ZodType): Described {
  const { $ref, $defs = {}, ...plain } = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });
  return $ref ? ($defs[$ref.replace('#/$defs/', '')] as Described) : plain;
}

/** A route that answers a page, or a plain array. */
function isList({ method, spec }: Route): boolean {
  if (method !== 'get' || !spec.response) return false;
  const { type, properties = {} } = described(spec.response);
  return type === 'array' || ('count' in properties && 'results' in properties);
}

const lists = allRoutes.filter(isList);
const orderingsOf = ({ spec }: Route): string[] => {
  if (!spec.query) return [];
  const field = described(spec.query).properties?.['ordering'];
  return typeof field === 'object' ? ((field.enum ?? []) as string[]) : [];
};

const addressOf = ({ path }: Route): string =>
  path
    .replace('/chapters/:id/', `/chapters/${ids.chapter}/`)
    .replace('/memberships/:id/', `/memberships/${ids.membership}/`)
    .replace(':chapter_id', ids.chapter)
    .replace(':membership_id', ids.membership)
    .replace(':user_id', ids.user)
    .replace('/rollovers/:id/', `/rollovers/${ids.rollover}/`)
    .replace('/imports/:id/', `/imports/${ids.import}/`)
    .replace('/bulk-actions/:id/', `/bulk-actions/${ids.bulkAction}/`)
    .replace('/recruitment-periods/:id/', `/recruitment-periods/${ids.recruitment}/`)
    .replace('/pnm/:id/', `/pnm/${ids.pnm}/`)
    .replace('/invoices/:id/', `/invoices/${ids.invoice}/`)
    .replace('/consent-templates/:id/', `/consent-templates/${ids.consents}/`)
    .replace('/bulletins/:id/', `/bulletins/${ids.bulletin}/`)
    .replace(':forum_id', ids.forum)
    .replace(':post_id', ids.thread)
    .replace(':comment_id', ids.comment)
    .replace('campaigns/:foundation_id/:slug/', `campaigns/${ids.foundation}/${YEAR_ROUND_SLUG}/`)
    .replace('internal/campaigns/:slug/', `internal/campaigns/${INTERNAL_SLUG}/`)
    .replace(':slug', ids.slug)
    .replace(/:(id|organization_id|org_pk)/, ids.organization);

const lastPage = (count: number): string[] => (count > 75 ? [`page=${Math.ceil(count / 25)}`] : []);

/** Every query that is tried: pages, filters, orderings, and every ordering with the first filter. */
function queriesOf(route: Route, { filters = () => [] }: List, count: number | undefined): string[] {
  const paged = route.spec.query !== undefined;
  const chosen = filters(ids);
  const ordered = orderingsOf(route).map((one) => `ordering=${one}`);
  return [
    '',
    ...(paged && (count ?? 0) > 50 ? ['page=3'] : []),
    ...lastPage(count ?? 0),
    ...chosen,
    ...ordered,
    ...ordered.flatMap((order) => chosen.slice(0, 1).map((filter) => `${filter}&${order}`)),
  ];
}

/** For a parallel scan, Postgres reports a rounded average for each process: multiplied by their number it differs by some rows. */
const ROUNDING = 10;

/** The problems of a plan, in words. */
function problemsOf({ scans }: Explained, list: List, query: string): string[] {
  const bound = list.unless?.findLast(([pattern]) => pattern.test(query))?.[1] ?? list.bound;
  const sum = (indexOnly: boolean) =>
    scans.filter((scan) => scan.indexOnly === indexOnly).reduce((rows, scan) => rows + scan.rows, 0);
  const sequential = scans.filter(({ node, rows }) => node === 'Seq Scan' && rows > 0);
  return [
    ...sequential.map(({ table, rows }) => `${query}: reads ${table} from end to end, ${rows} rows`),
    ...(sum(false) > bound.rows + ROUNDING ? [`${query}: looks at ${sum(false)} rows, ${bound.rows} are allowed`] : []),
    ...(sum(true) > bound.entries + ROUNDING
      ? [`${query}: counts ${sum(true)} entries, ${bound.entries} are allowed`]
      : []),
  ];
}

test('the large tables are large', () => {
  expect([...large].sort()).toEqual(
    expect.arrayContaining([
      'audit_log',
      'chapter_invoices',
      'donation_entries',
      'donations',
      'donors',
      'forum_comments',
      'forum_memberships',
      'forum_posts',
      'forum_reads',
      'foundation_bulletin_recipients',
      'invoice_line_items',
      'memberships',
      'notifications',
      'payment_records',
      'pledge_periods',
      'recurring_pledges',
      'tax_receipts',
      'users',
    ]),
  );
});

test('every list has its bounds, or is listed as not answered by Postgres', () => {
  expect(lists.map(({ path }) => path).sort()).toEqual([...Object.keys(LISTS), ...Object.keys(ELSEWHERE)].sort());
});

test.each(Object.keys(LISTS))(
  '%s makes no sequential scan of a large table, and reads at most its bound of rows',
  async (path) => {
    const route = lists.find((one) => one.path === path) as Route;
    const list = LISTS[path] as List;
    const reader = readers[list.as];
    const first = await reader.get(addressOf(route));
    expect(first.status).toBe(200);
    const problems: string[] = [];
    for (const query of queriesOf(route, list, first.body.count)) {
      let status = 0;
      const explained = await explain(large, async () => {
        ({ status } = await reader.get(`${addressOf(route)}${query && `?${query}`}`));
      });
      if (status !== 200) problems.push(`${query}: answers ${status}`);
      if (explained.statements === 0) problems.push(`${query}: told no plan`);
      problems.push(...problemsOf(explained, list, query));
    }
    expect(problems).toEqual([]);
  },
);

test.each(['', 'gifts/', 'receipts/'])(
  'the page /giving/<foundation_id>/%s reads rows of its donor only',
  async (below) => {
    const token = newToken();
    await asOwner(
      `INSERT INTO donor_sessions (organization_id, donor_id, token_hash, expires_at)
       SELECT organization_id, donor_id, $2, now() + interval '1 hour' FROM recurring_pledges
        WHERE organization_id = $1 AND status = 'active' ORDER BY id LIMIT 1`,
      [ids.organization, hashToken(token)],
    );
    let status = 0;
    const explained = await explain(large, async () => {
      const headers = { Cookie: `donor_session=${token}` };
      ({ status } = await fetch(`${api.url}/giving/${ids.foundation}/${below}`, { headers }));
    });
    expect(status).toBe(200);
    expect(explained.statements).toBeGreaterThan(0);
    const ofDonor = 8 * GIFTS_PER_DONOR;
    expect(problemsOf(explained, { as: 'member', bound: { rows: ofDonor, entries: ofDonor } }, below)).toEqual([]);
  },
);

test.each(['kumquat', 'quince kumquat', 'kumquat or pomelo', 'pomelo'])(
  "a search in forums for '%s' reads little more than the texts that it finds",
  async (q) => {
    const { scans } = await explain(new Set(['forum_posts', 'forum_comments']), async () => {
      const { status, body } = await readers.member.get(`/api/forums/search/?q=${encodeURIComponent(q)}`);
      expect([status, body.length]).toEqual([200, q === 'pomelo' ? 0 : 10]);
    });
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(50);
  },
);

test.each([
  ['an organization', () => `/api/organizations/${decides.organization}/approvals/`, 4 * APPROVALS.waiting],
  // Read to count, to find the page, and for its titles.
  ['the list', () => `/api/organizations/${decides.organization}/approvals/items/`, 9 * APPROVALS.waiting],
  ['a chapter', () => `/api/chapters/${decides.chapter}/approvals/`, APPROVALS.ofChapter],
  ['one’s own', () => '/api/notifications/alert-summary/', 4 * APPROVALS.waiting],
  ['the console', () => '/api/console/summary/', 4 * APPROVALS.waiting],
])('a queue of thousands in %s reads each request once, and each possible reviewer once', async (_, path, limit) => {
  const { scans } = await explain(new Set([...APPROVALS.requests, ...APPROVALS.deciders]), async () => {
    expect((await decides.admin.get(path())).status).toBe(200);
  });
  const read = (tables: readonly string[]) =>
    scans.filter(({ table }) => tables.includes(table)).reduce((sum, { rows }) => sum + rows, 0);
  expect(read(APPROVALS.requests)).toBeLessThanOrEqual(limit + ROUNDING);
  expect(read(APPROVALS.deciders)).toBeLessThanOrEqual(APPROVALS.asked);
});

test('the measurement detects a sequential scan, and a count that does not use an index', async () => {
  const scan = await explain(large, () => asOwner(`SELECT count(*) FROM users WHERE phone_number = 'none'`));
  const list: List = { as: 'admin', bound: { rows: 200, entries: 200 } };
  expect(problemsOf(scan, list, 'x')).toEqual([
    expect.stringMatching(/^x: reads users from end to end, \d{5,6} rows$/),
    expect.stringContaining('200 are allowed'),
  ]);
  const count = await explain(large, () =>
    asOwner('SELECT count(*) FROM chapter_invoices WHERE organization_id = $1 AND total_cents > 0', [ids.organization]),
  );
  expect(problemsOf(count, list, 'x')).toEqual([expect.stringContaining('looks at 25000 rows')]);
});
