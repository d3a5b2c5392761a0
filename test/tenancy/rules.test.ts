/** Authorization comes from a route's rule: without a grant everybody is refused, and a list shows only rows that its reader may read. */
import { needsRule } from '../../api/http/admit.js';
import type { Policy, Rule } from '../../api/http/policy.js';
import type { Route } from '../../api/http/routes.js';
import { Client } from '../support/api.js';
import { apiWorld } from '../support/apiWorld.js';
import { asOwner } from '../support/owner.js';
import { aMember, anInvoice, aPlatformAdmin } from '../support/world.js';
import { type Examples, exampleOf, examplesOf, idsOf, named, PRIVATE } from './everyRoute.js';
import { digestOf } from './everyTable.js';
import { addressOf, type Ids, pathParameters } from './foreignIds.js';
import { expected } from './matrix/expected.js';
import type { PersonName } from './matrix/people.js';

type Ruled = Route & { spec: { rule: { policy: Policy; actions: readonly string[] } } };
const isRuled = (route: Route): route is Ruled => 'policy' in ((route.spec.rule ?? {}) as Rule);
const RULED = PRIVATE.filter(isRuled);

let own: Ids;
/** Rows of the same organization, in another chapter or region. */
let elsewhere: Ids;
let examples: Examples;
let people: Partial<Record<PersonName, Client>>;
const { api, world } = apiWorld();

beforeAll(async () => {
  own = await idsOf(world);
  own = { ...own, chapters: world.chapterId, regions: world.regionId, memberships: world.member.membershipId };
  const invoice = { chapterId: world.otherChapterId, membershipId: world.otherOfficer.membershipId };
  elsewhere = {
    chapters: world.otherChapterId,
    regions: world.otherRegionId,
    memberships: world.otherOfficer.membershipId,
    chapter_invoices: await anInvoice(world, invoice),
    chapter_remittances: await aRemittance(),
  };
  const as = (token: string, headers = {}) => new Client(api.url, { token, headers });
  people = {
    platform: as((await aPlatformAdmin()).token, { 'X-Organization-Id': world.organizationId }),
    national: as(world.admin.token),
    regional: as(await aRegionalAdmin()),
    officer: as(world.officer.token),
    member: as(world.member.token),
  };
  examples = await examplesOf(new Client(api.url));
});

/** A member of the first chapter who administers its region: the world's own administrator is a member elsewhere. @returns the token */
async function aRegionalAdmin(): Promise<string> {
  const { userId, token } = await aMember(world.organizationId, world.chapterId, 'alumni', 'alumni');
  await asOwner(
    `INSERT INTO regional_admins (organization_id, user_id, region_id, role) VALUES ($1, $2, $3, 'coordinator')`,
    [world.organizationId, userId, world.regionId],
  );
  return token;
}

/** A person of the other chapter. */
async function aRemittance(): Promise<string> {
  const [made] = await asOwner<{ id: string }>(
    `INSERT INTO chapter_remittances (organization_id, chapter_id, created_by, total_cents) VALUES ($1, $2, $3, 1000)
     RETURNING id`,
    [world.organizationId, world.otherChapterId, world.otherOfficer.userId],
  );
  return (made as { id: string }).id;
}

/** Required parameters of an address. */
const NEEDED_QUERY: Record<string, (ids: Ids) => string> = {
  'GET /api/billing/roster/': ({ chapters }) => `?chapter=${chapters}`,
  'GET /api/notifications/explain/': ({ chapter_invoices }) => `?subject=invoice:${chapter_invoices}`,
};

const ask = (client: Client, route: Route, ids: Ids) => {
  const query = NEEDED_QUERY[named(route)]?.(ids) ?? '';
  return client.send(route.method.toUpperCase(), addressOf(route, ids) + query, exampleOf(route, examples, own));
};

test('routes without a rule are listed by name', () => {
  const without = PRIVATE.filter((route) => !isRuled(route) && needsRule(route)).map(named);
  expect(without).toEqual([
    'GET /api/push-tokens/',
    'POST /api/push-tokens/',
    'DELETE /api/push-tokens/:id/',
    'GET /api/organizations/',
    'GET /api/organizations/:organization_id/',
  ]);
});

test.each(PRIVATE.filter(({ spec }) => spec.access === 'platform').map((route) => [named(route), route] as const))(
  '%s is refused to everybody but platform admins',
  async (_, route) => {
    expect((await ask(people.national as Client, route, own)).status).toBe(403);
  },
);

describe('routes whose rule grants nothing', () => {
  let before: Record<string, string>;
  beforeAll(async () => {
    before = await digestOf(world.organizationId);
  });

  test.each(RULED.map((route) => [named(route), route] as const))(
    '%s refuses everybody when its rule grants nothing',
    async (_, route) => {
      const { policy, actions } = route.spec.rule;
      const grants = policy.actions;
      const formerGrants = { ...grants };
      try {
        for (const action of actions) grants[action] = [];
        for (const person of ['national', 'platform'] as const) {
          const { status } = await ask(people[person] as Client, route, own);
          expect([person, [403, 404]]).toEqual([person, expect.arrayContaining([status])]);
        }
      } finally {
        Object.assign(grants, formerGrants);
      }
    },
  );

  test('the refused requests have changed nothing', async () => {
    const after = await digestOf(world.organizationId);
    expect({ ...after, audit_log: '' }).toEqual({ ...before, audit_log: '' });
  });
});

/** Whether the matrix grants this person one of these actions on their own rows, or on those of another chapter. */
const reaches = ({ policy, actions }: Ruled['spec']['rule'], person: PersonName, ownership: 'own' | 'other'): boolean =>
  actions.some((action) => {
    const reach = expected[policy.subject]?.[action]?.[person] ?? '';
    return reach === 'all' || reach.split(', ').includes(ownership);
  });

const CHAPTER_PEOPLE = ['regional', 'officer', 'member'] as const;
const TABLES_ELSEWHERE = ['chapters', 'regions', 'memberships', 'chapter_invoices', 'chapter_remittances'];
const OF_A_CHAPTER = RULED.filter((route) =>
  pathParameters(route).some(({ table }) => TABLES_ELSEWHERE.includes(table)),
);

describe('routes of a chapter', () => {
  test.each(OF_A_CHAPTER.map((route) => [named(route), route] as const))(
    '%s refuses people of another chapter',
    async (_, route) => {
      for (const person of CHAPTER_PEOPLE) {
        const admitted = reaches(route.spec.rule, person, 'other');
        // Changes that others may make are undone before the next request.
        if (admitted && route.method !== 'get') continue;
        const { status } = await ask(people[person] as Client, route, { ...own, ...elsewhere });
        expect([person, [403, 404].includes(status)]).toEqual([person, !admitted]);
      }
    },
  );
});

interface Row {
  id?: string;
  chapter?: string;
}

/** The rows of a list's answer; empty for other answers. */
const rowsOf = (body: unknown): Row[] =>
  [(body as { results?: Row[] } | null)?.results ?? body].flat().filter((row): row is Row => Boolean(row));

const isElsewhere = (row: Row): boolean =>
  row.chapter === elsewhere['chapters'] || Object.values(elsewhere).includes(row.id ?? '');

/** Answers that are documents have no rows, and take long to render. */
const DOCUMENT = /\/(receipt|statement|packet\.zip)\/?$/;
const LISTS = RULED.filter(({ method, path }) => method === 'get' && !path.endsWith(':id/') && !DOCUMENT.test(path));

test.each(LISTS.map((route) => [named(route), route] as const))(
  '%s shows no row that its reader could not read alone',
  async (_, route) => {
    for (const person of CHAPTER_PEOPLE) {
      const { status, body } = await ask(people[person] as Client, route, own);
      const foreign = status === 200 ? rowsOf(body).filter(isElsewhere) : [];
      if (!reaches(route.spec.rule, person, 'other')) expect([person, foreign]).toEqual([person, []]);
    }
  },
);

test.each(['GET /api/billing/remittances/', 'GET /api/organizations/:organization_id/invoices/'])(
  '%s contains such rows for an admin',
  async (name) => {
    const route = LISTS.find((one) => named(one) === name) as Route;
    const { body } = await ask(people.national as Client, route, own);
    expect(rowsOf(body).some(isElsewhere)).toBe(true);
  },
);
