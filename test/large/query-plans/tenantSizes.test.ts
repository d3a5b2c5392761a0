/** A prepared plan serves every tenant: it must be good for an organization of five members and for one of twenty thousand. */
import pg from 'pg';
import { refreshStatistics } from '../../../development/seeding/large/statistics.js';
import { ApiWorld } from '../../support/apiWorld.js';
import { startApi } from '../../support/api.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aWorld, signIn, type World } from '../../support/world.js';
import { type Explained, explain, tellPlans } from './plans.js';

const SEEDING_MS = 600_000;
const [CHAPTERS, MEMBERS] = [40, 500];
const LARGE_TABLES = new Set(['users', 'memberships', 'roster_names', 'chapter_invoices', 'affiliations']);
/** The rows of a page with their joined rows, twice over, and the reader's own. */
const PAGE = 25 * 8;

const stage = new ApiWorld();
let small: World;
let huge: World;
/** A chapter of the huge organization, with as many members as all of its chapters have. */
let chapter: string;

beforeAll(async () => {
  small = await aWorld();
  huge = await aWorld();
  chapter = await manyMembers(huge);
  for (const world of [small, huge]) await overdueInvoices(world.organizationId, world.termId);
  const owner = new pg.Client(process.env['DATABASE_OWNER_URL']);
  await owner.connect();
  await refreshStatistics(owner);
  await owner.end();
  await tellPlans();
  Object.assign(stage.api, await startApi());
}, SEEDING_MS);

afterAll(async () => {
  await stage.api.close();
  await closeOwner();
});

/** @returns one of the chapters */
async function manyMembers({ organizationId, regionId }: World): Promise<string> {
  const chapters = await asOwner<{ id: string }>(
    `INSERT INTO chapters (organization_id, region_id, name) SELECT $1, $2, 'Chapter ' || n FROM generate_series(1, $3::int) n
     RETURNING id`,
    [organizationId, regionId, CHAPTERS],
  );
  await asOwner(
    `WITH people AS (
       INSERT INTO users (email, first_name, last_name)
       SELECT 'p' || n || '@huge.example.org', 'First ' || n % 97, 'Last ' || n % 1013 FROM generate_series(1, $3::int) n
       RETURNING id)
     INSERT INTO memberships (organization_id, user_id, chapter_id)
     SELECT $1, id, ($2::uuid[])[1 + (row_number() OVER ())::int % cardinality($2::uuid[])] FROM people`,
    [organizationId, chapters.map(({ id }) => id), CHAPTERS * MEMBERS],
  );
  return chapters[0]?.id as string;
}

/** One invoice for each membership. */
const overdueInvoices = (organizationId: string, termId: string) =>
  asOwner(
    `INSERT INTO chapter_invoices (organization_id, chapter_id, term_id, payer_type, membership_id, description, issue_date,
                                   due_date, status, total_cents, balance_due_cents, overdue_at)
     SELECT organization_id, chapter_id, $2, 'member', id, 'Dues', current_date - 60, current_date - 30, 'overdue', 10000, 10000, now()
       FROM memberships WHERE organization_id = $1`,
    [organizationId, termId],
  );

/** The small organization has no second page of the usual size. */
const late = (world: World) => (world === huge ? 'page=20' : 'page_size=1&page=2');

const READS = {
  'the roster': (world: World) => `/api/chapters/${world === huge ? chapter : world.chapterId}/members/`,
  'overdue invoices': ({ organizationId }: World) => `/api/organizations/${organizationId}/invoices/?status=overdue`,
  'a late page of the roster': (world: World) =>
    `/api/chapters/${world === huge ? chapter : world.chapterId}/members/?${late(world)}`,
  'a late page of overdue invoices': (world: World) =>
    `/api/organizations/${world.organizationId}/invoices/?status=overdue&${late(world)}`,
  'the organization': ({ organizationId }: World) => `/api/organizations/${organizationId}/`,
};
/** Rows that each list may read in the huge organization: the shown ones; for a count, the index alone. */
const BOUNDS: Record<keyof typeof READS, { rows: number; entries: number }> = {
  'the roster': { rows: PAGE, entries: MEMBERS + PAGE },
  'overdue invoices': { rows: PAGE, entries: CHAPTERS * MEMBERS + PAGE },
  'a late page of the roster': { rows: PAGE, entries: 2 * MEMBERS + PAGE },
  'a late page of overdue invoices': { rows: PAGE, entries: CHAPTERS * MEMBERS + 20 * 25 + PAGE },
  'the organization': { rows: PAGE, entries: PAGE },
};

const looked = ({ scans }: Explained, indexOnly: boolean) =>
  scans.filter((scan) => scan.indexOnly === indexOnly).reduce((sum, { rows }) => sum + rows, 0);

test.each(
  (Object.keys(READS) as (keyof typeof READS)[]).flatMap((name) => [[name, 'small'] as const, [name, 'huge'] as const]),
)('%s of the %s organization reads as many rows as it shows', async (name, size) => {
  const world = size === 'huge' ? huge : small;
  const reader = stage.as({ token: await signIn(world.admin.userId, world.organizationId) });
  const bound = size === 'huge' ? BOUNDS[name] : { rows: PAGE, entries: PAGE };
  // More runs than Postgres plans individually before it chooses a generic plan.
  for (let n = 0; n < 8; n += 1) {
    let status = 0;
    const explained = await explain(LARGE_TABLES, async () => ({ status } = await reader.get(READS[name](world))));
    expect([status, explained.statements > 0]).toEqual([200, true]);
    const [rows, entries] = [looked(explained, false), looked(explained, true)];
    const within = rows <= bound.rows && entries <= bound.entries;
    expect({ within, rows, entries, scans: explained.scans }).toEqual({
      within: true,
      rows,
      entries,
      scans: expect.anything(),
    });
  }
});
