/** Every address that takes an id answers another tenant's exactly as it answers one that nobody has. */
import { openApiPath } from '../../api/http/docs/operations.js';
import type { Route } from '../../api/http/routes.js';
import { processId } from '../../api/processes/id.js';
import { allRoutes } from '../../api/routes.js';
import { config } from '../../config.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { Client, type Reply } from '../support/api.js';
import { apiWorld } from '../support/apiWorld.js';
import { asOwner } from '../support/owner.js';
import { aPlatformAdmin, type World } from '../support/world.js';
import { digestOf, fillEveryTable } from './everyTable.js';
import { addressOf, type Ids, linksInBody, linksInQuery, pathParameters, withLinks } from './foreignIds.js';

let own: Ids;
let foreign: Ids;
let people: Record<string, Client>;
let examples: Record<string, Record<string, unknown>>;

const idsOf = async (of: World): Promise<Ids> => {
  const [session] = await asOwner<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1', [of.admin.userId]);
  return {
    ...(await fillEveryTable(of)),
    organizations: of.organizationId,
    sessions: (session as { id: string }).id,
    users: of.officer.userId,
    webauthn_credentials: await aPasskey(of),
    user_emails: await anEmail(of),
    processes: await aWaitingProcess(of),
    social_accounts: await aSocialAccount(of.admin.userId),
  };
};

/** An address that the organization's admin has added. */
async function anEmail({ admin }: World): Promise<string> {
  const [row] = await asOwner<{ id: string }>('INSERT INTO user_emails (user_id, email) VALUES ($1, $2) RETURNING id', [
    admin.userId,
    `further-${admin.email}`,
  ]);
  return (row as { id: string }).id;
}

/** An account at the professional network. */
async function aSocialAccount(userId: string): Promise<string> {
  const [made] = await asOwner<{ id: string }>(
    `INSERT INTO social_accounts (user_id, provider, subject, access_token_encrypted)
     VALUES ($1, 'linkedin', $2, 'none') RETURNING id`,
    [userId, userId],
  );
  return (made as { id: string }).id;
}

/** The admin's, as a row: what its key is does not matter here. */
async function aPasskey({ admin }: World): Promise<string> {
  const [passkey] = await asOwner<{ id: string }>(
    `INSERT INTO webauthn_credentials (user_id, credential_id, public_key, signature_counter, is_synced, name)
     VALUES ($1, $2, '\\x00', 0, false, 'Passkey') RETURNING id`,
    [admin.userId, uuidv7()],
  );
  return (passkey as { id: string }).id;
}

/** An intent that nobody hands over: there is no relay here. */
async function aWaitingProcess({ organizationId }: World): Promise<string> {
  const workflowId = `overdue/${organizationId}/2000-01-01`;
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, not_before)
     VALUES ($1, 'markOverdue', $2, $3, now() + interval '1 day')`,
    [organizationId, workflowId, { organizationId, day: '2000-01-01' }],
  );
  return processId(workflowId);
}

// The same few people are asked about again and again.
config.THROTTLE_LIMITS = { ...config.THROTTLE_LIMITS, admin_password_reset_target: 10_000 };
const { api, world, other } = apiWorld();
beforeAll(async () => {
  [own, foreign] = [await idsOf(world), await idsOf(other)];
  const as = (token: string, headers = {}) => new Client(api.url, { token, headers });
  people = {
    'platform admin': as((await aPlatformAdmin()).token, { 'X-Organization-Id': world.organizationId }),
    'national admin': as(world.admin.token),
    'regional admin': as(world.regionalAdmin.token),
    officer: as(world.officer.token),
    member: as(world.member.token),
  };
  const { paths } = (await new Client(api.url).get('/api/schema/')).body;
  examples = Object.fromEntries(
    Object.entries(
      paths as Record<string, Record<string, { requestBody?: { content: Record<string, { example: unknown }> } }>>,
    ).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, { requestBody }]) => [
          method,
          requestBody?.content['application/json']?.example,
        ]),
      ),
    ]),
  );
}, 60_000);

const PRIVATE = allRoutes.filter(({ spec }) => spec.access !== 'public');
const named = (route: Route) => `${route.method.toUpperCase()} ${route.path}`;

/** Links that only narrow what is shown. */
const FILTERS = new Set(['POST /api/hq/dues/:organization_id/runs/ chapter']);

/** Where fields exclude one another, and so the example of the documentation cannot hold all. */
const DIFFERENT: Record<string, object> = {
  'POST /api/hq/dues/:organization_id/runs/': { dry_run: true },
};

/** The documentation's example of a body, its links set to one's own rows. */
function exampleFor(route: Route): unknown {
  const example = examples[openApiPath(route.path)]?.[route.method];
  if (example === undefined) return undefined;
  const links = linksInBody(example).map((link) => ({ ...link, id: own[link.table] as string }));
  return { ...(withLinks(example, links) as object), ...DIFFERENT[named(route)] };
}

/** An answer without the ids that were asked with. */
const seen = ({ status, body }: Reply<unknown>, ...ids: string[]): string =>
  ids.reduce((text, id) => text.replaceAll(id, '<id>'), JSON.stringify({ status, body }));

/** Platform admins see every organization, so theirs is no foreign one; what runs the platform is theirs alone. */
const sees = (person: string, { spec }: Route) =>
  person === 'platform admin' && ['account', 'platform'].includes(spec.access);

const withIds = PRIVATE.filter((route) => pathParameters(route).length > 0);

test.each(withIds.map((route) => [named(route), route] as const))(
  '%s answers foreign ids like unknown ones',
  async (_, route) => {
    const parameters = pathParameters(route);
    // Each id by itself, then all of them.
    const choices = [...parameters.map((parameter) => [parameter]), ...(parameters.length > 1 ? [parameters] : [])];
    const body = exampleFor(route);
    for (const chosen of choices) {
      const unknown = uuidv7();
      const replaced = {
        foreign: Object.fromEntries(chosen.map(({ name, table }) => [name, foreign[table] as string])),
        unknown: Object.fromEntries(chosen.map(({ name }) => [name, unknown])),
      };
      for (const [person, client] of Object.entries(people)) {
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

const withQueryLinks = PRIVATE.filter((route) => linksInQuery(route).length > 0);

test.each(withQueryLinks.map((route) => [named(route), route] as const))(
  '%s filters by foreign ids like by unknown ones',
  async (_, route) => {
    for (const { name, table } of linksInQuery(route)) {
      const unknown = uuidv7();
      for (const [person, client] of Object.entries(people)) {
        const ask = (id: string) => client.get(`${addressOf(route, own)}?${name}=${id}`);
        const [theirs, nobodys] = [await ask(foreign[table] as string), await ask(unknown)];
        expect([name, person, seen(theirs, foreign[table] as string)]).toEqual([name, person, seen(nobodys, unknown)]);
      }
    }
  },
);

test('every link in a body to a foreign row is answered like one to an unknown row', async () => {
  const asked: string[] = [];
  for (const route of PRIVATE) {
    const body = exampleFor(route);
    const links = linksInBody(body).map((link) => ({ ...link, id: own[link.table] as string }));
    for (const [n, { table }] of links.entries()) {
      const unknown = uuidv7();
      for (const [person, client] of Object.entries(people)) {
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
        asked.push(where.join(' '));
      }
    }
  }
  expect(asked.length).toBeGreaterThan(0);
});

test('all of it left the other tenant as it was', async () => {
  const before = await digestOf(other.organizationId);
  for (const route of withIds) {
    const ids = Object.fromEntries(pathParameters(route).map(({ name, table }) => [name, foreign[table] as string]));
    for (const [person, client] of Object.entries(people)) {
      if (!sees(person, route))
        await client.send(route.method.toUpperCase(), addressOf(route, own, ids), exampleFor(route));
    }
  }
  expect(await digestOf(other.organizationId)).toEqual(before);
});

test('a header that names another organization is refused, or names it for platform admins only', async () => {
  const header = { 'X-Organization-Id': other.organizationId };
  for (const [person, client] of Object.entries(people)) {
    if (person === 'platform admin') continue;
    for (const route of PRIVATE) {
      const { status, body } = await client.send(
        route.method.toUpperCase(),
        addressOf(route, foreign),
        exampleFor(route),
        header,
      );
      expect([named(route), person, status, body.code]).toEqual([named(route), person, 403, 'organization_forbidden']);
    }
  }
});
