/** Every address with an id answers for another tenant's id exactly as for an unknown one. */
import type { Route } from '../../api/http/routes.js';
import { config } from '../../config.js';
import { allRoutes } from '../../api/routes.js';
import { STANDARD_FIELDS } from '../../models/intake/pnm-config/vocabulary.js';
import { hashToken } from '../../models/identity/secretTokens.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { Client, type Reply } from '../support/api.js';
import { apiWorld } from '../support/apiWorld.js';
import { asOwner } from '../support/owner.js';
import { aPlatformAdmin } from '../support/world.js';
import { emailFields, foreignAddresses, shapeOf, withEmail } from './emailFields.js';
import { type Examples, exampleOf, examplesOf, idsOf, named, PRIVATE } from './everyRoute.js';
import { digestOf } from './everyTable.js';
import { addressOf, type Ids, linksInBody, linksInQuery, pathParameters, withLinks } from './foreignIds.js';

let own: Ids;
let foreign: Ids;
let people: Record<string, Client>;

/** These roles take turns: each route is called by one of them, and in the release tier by all. National admins call every route. */
const TAKING_TURNS = ['platform admin', 'regional admin', 'officer', 'member'];
const everybodyCalls = process.env['TEST_TIER'] === 'release';
const callersOf = (route: Route): [string, Client][] => {
  const turn = TAKING_TURNS[allRoutes.indexOf(route) % TAKING_TURNS.length];
  return Object.entries(people).filter(
    ([person]) => everybodyCalls || person === turn || !TAKING_TURNS.includes(person),
  );
};

let examples: Examples;

// A few people send very many requests from one machine, so throttles are raised.
const LIMITS = Object.fromEntries(
  [
    'admin_password_reset_target',
    'account_request',
    'password_reset',
    'pnm_verify_email',
    'email_verification',
    'pnm_submit_ip',
    'pnm_submit_email',
  ].map((scope) => [scope, 10_000]),
);
config.THROTTLE_LIMITS = { ...config.THROTTLE_LIMITS, ...LIMITS };
const { api, world, other } = apiWorld();
beforeAll(async () => {
  [own, foreign] = [await idsOf(world), await idsOf(other)];
  await asOwner('UPDATE organizations SET accepts_account_requests = true WHERE id = $1', [world.organizationId]);
  await asOwner(
    `INSERT INTO recruitment_periods (organization_id, term_id, name, opens_at, closes_at, status)
     VALUES ($1, $2, 'Open', '2020-01-01', '2100-01-01', 'active') ON CONFLICT ON CONSTRAINT recruitment_periods_term
     DO UPDATE SET status = 'active', opens_at = '2020-01-01', closes_at = '2100-01-01'`,
    [world.organizationId, world.termId],
  );
  draft = (await new Client(api.url).post(`/api/pnm/public/${world.slug}/drafts/`, { contents: {} })).body.token;
  const as = (token: string, headers = {}) => new Client(api.url, { token, headers });
  people = {
    'platform admin': as((await aPlatformAdmin()).token, { 'X-Organization-Id': world.organizationId }),
    'national admin': as(world.admin.token),
    'regional admin': as(world.regionalAdmin.token),
    officer: as(world.officer.token),
    member: as(world.member.token),
  };
  examples = await examplesOf(new Client(api.url));
});

/** The token of an applicant. */
let draft: string;
const REFEREES = 'POST /api/pnm/public/:slug/applications/:token/referees/';

/** An application of a prospect, with requested letters. @returns its token */
async function anApplication(): Promise<string> {
  const [profile, version] = [own['pnm_profiles'], own['pnm_application_versions']];
  const token = uuidv7();
  await asOwner("UPDATE pnm_profiles SET stage = 'not_started' WHERE id = $1", [profile]);
  await asOwner('UPDATE pnm_application_configs SET reference_letters = 5 WHERE organization_id = $1', [
    world.organizationId,
  ]);
  await asOwner(
    `WITH it AS (
       UPDATE pnm_application_versions SET state = 'current', confirm_hash = NULL, confirmed_at = now(), token_hash = $2
        WHERE id = $1 RETURNING application_id)
     UPDATE pnm_applications SET state = 'received', received_at = now(), profile_id = $3 FROM it WHERE id = it.application_id`,
    [version, hashToken(token), profile],
  );
  return token;
}

/** Creates room for another one, and owns the given address. */
const ANEW: Record<string, () => Promise<string>> = {
  [REFEREES]: async () => {
    await asOwner(
      "UPDATE pnm_reference_letters SET status = 'cancelled', closed_at = now() WHERE status = 'requested'",
    );
    return anApplication();
  },
};

/** Links that only filter the answer. */
const FILTERS = new Set([
  // Notifications of others are not marked.
  'POST /api/notifications/mark_read/ notification_ids.0',
  'POST /api/hq/dues/:organization_id/runs/ chapter',
  // Each id of the list is answered separately.
  'POST /api/organizations/:organization_id/account-requests/bulk-review/ ids.0',
  'POST /api/organizations/:organization_id/status-change-requests/bulk-review/ ids.0',
  'POST /api/organizations/:organization_id/transfer-requests/bulk-review/ ids.0',
  'POST /api/organizations/:organization_id/hand-over-requests/bulk-review/ ids.0',
  'POST /api/organizations/:organization_id/member-add-requests/bulk-review/ ids.0',
  'POST /api/organizations/:organization_id/name-assignments/bulk-review/ ids.0',
  'POST /api/chapters/:id/pnm/bulk-transition/ ids.0',
]);

/** Rows that may exist only once, created anew for each request. */
const ONCE: Record<string, () => object> = {
  'POST /api/pnm/public/:slug/applications/': () => ({
    chapter: own['chapters'],
    first_name: 'Ada',
    last_name: 'Seen',
    ...Object.fromEntries(STANDARD_FIELDS.map((name) => [name, null])),
    answers: {},
    consents: [],
  }),
  'PUT /api/organizations/:organization_id/pnm-config/': () => ({
    notification_routing: [{ event: 'application_received' }],
    questions: [],
    consents: [],
    minimum_gpa: null,
  }),
  'POST /api/pnm/public/:slug/applications/:token/referees/': () => ({ replaces: undefined }),
  'POST /api/platform/organizations/': () => ({ slug: `s${uuidv7().replaceAll('-', '')}` }),
  // The campaign of the tenant is a draft.
  'POST /api/foundation/donations/offline/': () => ({ campaign: undefined, idempotency_key: uuidv7() }),
};

/** An answer without the ids of the request. */
const seen = ({ status, body }: Reply<unknown>, ...ids: string[]): string =>
  ids.reduce((text, id) => text.replaceAll(id, '<id>'), JSON.stringify({ status, body }));

/** Platform admins see every organization, so no organization is foreign to them; platform routes are theirs alone. */
const sees = (person: string, { spec }: Route) =>
  person === 'platform admin' && ['account', 'platform'].includes(spec.access);

const withIds = PRIVATE.filter((route) => pathParameters(route).length > 0);

describe('an address', () => {
  let before: Record<string, string>;
  beforeAll(async () => {
    before = await digestOf(other.organizationId);
  });

  test.each(withIds.map((route) => [named(route), route] as const))(
    '%s answers foreign ids like unknown ones',
    async (_, route) => {
      const parameters = pathParameters(route);
      // Each id alone, then all of them.
      const choices = [...parameters.map((parameter) => [parameter]), ...(parameters.length > 1 ? [parameters] : [])];
      const body = exampleOf(route, examples, own);
      for (const chosen of choices) {
        const unknown = uuidv7();
        const replaced = {
          foreign: Object.fromEntries(chosen.map(({ name, table }) => [name, foreign[table] as string])),
          unknown: Object.fromEntries(chosen.map(({ name }) => [name, unknown])),
        };
        for (const [person, client] of callersOf(route)) {
          if (sees(person, route)) continue;
          const ask = (ids: Ids) => client.send(route.method.toUpperCase(), addressOf(route, own, ids), body);
          const [theirs, nobodys] = [await ask(replaced.foreign), await ask(replaced.unknown)];
          expect([person, seen(theirs, ...Object.values(replaced.foreign))]).toEqual([person, seen(nobodys, unknown)]);
          expect([person, [403, 404]]).toEqual([person, expect.arrayContaining([theirs.status])]);
          if (person === 'national admin') expect(theirs.status).toBe(route.spec.access === 'platform' ? 403 : 404);
        }
      }
    },
  );

  test('requests with all foreign ids leave the other tenant unchanged', async () => {
    expect(await digestOf(other.organizationId)).toEqual(before);
  });
});

const withQueryLinks = PRIVATE.filter((route) => linksInQuery(route).length > 0);

test.each(withQueryLinks.map((route) => [named(route), route] as const))(
  '%s filters by foreign ids like by unknown ones',
  async (_, route) => {
    for (const { name, table } of linksInQuery(route)) {
      const unknown = uuidv7();
      for (const [person, client] of callersOf(route)) {
        const ask = (id: string) => client.get(`${addressOf(route, own)}?${name}=${id}`);
        const [theirs, nobodys] = [await ask(foreign[table] as string), await ask(unknown)];
        expect([name, person, seen(theirs, foreign[table] as string)]).toEqual([name, person, seen(nobodys, unknown)]);
      }
    }
  },
);

test('every link in a body to a foreign row is answered like one to an unknown row', async () => {
  const tested: string[] = [];
  for (const route of PRIVATE) {
    const body = exampleOf(route, examples, own);
    const links = linksInBody(body).map((link) => ({ ...link, id: own[link.table] as string }));
    for (const [n, { table }] of links.entries()) {
      const unknown = uuidv7();
      for (const [person, client] of callersOf(route)) {
        if (person === 'platform admin' && route.spec.access === 'platform') continue;
        const ask = (id: string) =>
          client.send(
            route.method.toUpperCase(),
            addressOf(route, own),
            withLinks(body, links.with(n, { ...(links[n] as (typeof links)[number]), id })),
          );
        const [theirs, nobodys] = [await ask(foreign[table] as string), await ask(unknown)];
        const where = [named(route), links[n]?.path.join('.'), person];
        expect([...where, seen(theirs, foreign[table] as string)]).toEqual([...where, seen(nobodys, unknown)]);
        const refusals = FILTERS.has(`${where[0]} ${where[1]}`) ? [200, 403] : [400, 403, 404, 409];
        expect([...where, refusals]).toEqual([...where, expect.arrayContaining([theirs.status])]);
        tested.push(where.join(' '));
      }
    }
  }
  expect(tested.length).toBeGreaterThan(0);
});

/** A log-in with a wrong password; and gifts, for which no campaign is open and no worker opens a page: their own tests compare addresses. */
const REFUSED_HERE = new Set([
  'POST /api/auth/login/',
  'POST /api/foundation/public/campaigns/:foundation_id/:slug/donate/',
  'POST /api/foundation/internal/campaigns/:slug/donate/',
]);

const takingEmails = allRoutes.flatMap((route) => emailFields(route).map((field) => ({ route, field })));

test.each(takingEmails.map(({ route, field }) => [`${named(route)} ${field.join('.')}`, route, field] as const))(
  '%s answers the address of an account elsewhere like an unknown address',
  async (_, route, field) => {
    const unused = () => `address-${uuidv7()}@example.org`;
    const body = exampleOf(route, examples, own);
    const { 'platform admin': platform, 'national admin': national, officer } = people;
    const asking = {
      public: [new Client(api.url)],
      platform: [platform],
      account: [officer],
      tenant: [national, officer],
    };
    const answers: number[] = [];
    for (const client of asking[route.spec.access] as Client[]) {
      const ask = async (email: string) => {
        const query = field[0] === 'query' ? `?${new URLSearchParams({ [field.slice(1).join('.')]: email })}` : '';
        // Without a version, an edit applies to the current row.
        const { version: _version, ...typed } = { ...(body as { version?: number }), ...ONCE[named(route)]?.() };
        const made = query ? body : withEmail(typed, field, email);
        const token = (await ANEW[named(route)]?.()) ?? draft;
        const address = addressOf({ path: route.path.replace(':slug', world.slug).replace(':token', token) }, own);
        return client.send(route.method.toUpperCase(), address + query, made);
      };
      const first = unused();
      const answer = await ask(first);
      answers.push(answer.status);
      const expected = shapeOf(answer, first);
      for (const email of await foreignAddresses(other)) expect(shapeOf(await ask(email), email)).toEqual(expected);
    }
    // An example that is refused for any address would show nothing.
    const best = Math.min(...answers);
    expect(best < 300 || REFUSED_HERE.has(named(route))).toBe(true);
  },
);

test('a header that names another organization is refused, except for platform admins', async () => {
  const header = { 'X-Organization-Id': other.organizationId };
  for (const route of PRIVATE) {
    // The check is the same for each role.
    const callers = callersOf(route).filter(([person]) => person !== 'platform admin');
    for (const [person, client] of everybodyCalls ? callers : callers.slice(-1)) {
      const { status, body } = await client.send(
        route.method.toUpperCase(),
        addressOf(route, foreign),
        exampleOf(route, examples, own),
        header,
      );
      expect([named(route), person, status, body.code]).toEqual([named(route), person, 403, 'organization_forbidden']);
    }
  }
});
