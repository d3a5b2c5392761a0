/** Tests what an impersonating admin cannot do, for every route and in the database itself. */
import { z } from 'zod';
import { isClosedToImpersonation } from '../../../api/http/admit.js';
import { SAFE } from '../../../api/http/input.js';
import { withoutRule } from '../../../api/http/policy.js';
import { get, post, type Route } from '../../../api/http/routes.js';
import { allRoutes } from '../../../api/routes.js';
import { rows } from '../../../models/database/rows.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { impersonating } from './impersonation.support.js';

const rule = withoutRule('a probe');

const Done = z.object({ done: z.literal(true) });
const write = async () => {
  await rows('UPDATE users SET phone_number = $1 WHERE id IS NOT NULL', ['0']);
  return { done: true as const };
};

/** Routes of this test: two reads that write, of which one declares it, a closed read, and a change. */
const mistaken: Route[] = [
  get('/api/mistaken/', { summary: 'Writes', access: 'tenant', rule, response: Done }, write),
  get('/api/declared/', { summary: 'Writes and says so', access: 'tenant', rule, writes: true, response: Done }, write),
  get('/api/messages/', { summary: 'Messages', access: 'tenant', rule, impersonation: 'closed', response: Done }, () =>
    Promise.resolve({ done: true as const }),
  ),
  post('/api/changes/', { summary: 'Changes', access: 'tenant', rule, response: Done }, write),
];

let client: Client;

const { api, world } = apiWorld({ routes: [...allRoutes, ...mistaken] });
beforeAll(async () => {
  ({ client } = await impersonating(api.url, world));
});

const ID = '00000000-0000-7000-8000-000000000000';
const PRIVATE = allRoutes.filter(({ spec }) => spec.access !== 'public');
const named = (route: Route) => `${route.method.toUpperCase()} ${route.path}`;
const addressOf = ({ path }: Route): string =>
  path.replaceAll(/\/organizations\/:[^/]+/g, `/organizations/${world.organizationId}`).replaceAll(/:[^/]+/g, ID);
const send = async (route: Route) => {
  const { status, body } = await client.send(
    route.method.toUpperCase(),
    addressOf(route),
    SAFE.has(route.method.toUpperCase()) ? undefined : {},
  );
  return { status, code: body?.code as string | undefined };
};

const closed = PRIVATE.filter(isClosedToImpersonation);
const readable = PRIVATE.filter((route) => !isClosedToImpersonation(route));

test('the account area is closed except for the routes that show the account and its organizations', () => {
  const open = PRIVATE.filter(({ path }) => /^\/api\/(auth|socialnet)\//.test(path)).filter(
    (route) => !isClosedToImpersonation(route),
  );
  expect(open.map(named).sort()).toEqual(['GET /api/auth/me/', 'GET /api/auth/me/organizations/']);
});

test('every closed route is refused, including reads', async () => {
  expect(closed.length).toBeGreaterThan(3);
  for (const route of closed)
    expect([named(route), await send(route)]).toEqual([
      named(route),
      { status: 403, code: 'impersonation_area_closed' },
    ]);
});

test('every other route that changes data is refused', async () => {
  const changing = readable.filter(({ method, spec }) => method !== 'get' || spec.writes);
  expect(changing.length).toBeGreaterThan(20);
  for (const route of changing)
    expect([named(route), await send(route)]).toEqual([named(route), { status: 403, code: 'impersonation_read_only' }]);
});

test('every other route that reads is answered as for the member', async () => {
  const member = new Client(api.url, { token: world.member.token });
  const reading = readable.filter(
    ({ method, spec, path }) => method === 'get' && !spec.writes && !path.startsWith('/api/auth/me/'),
  );
  expect(reading.length).toBeGreaterThan(20);
  for (const route of reading) {
    const { status, code } = await send(route);
    const own = await member.get(addressOf(route));
    expect([named(route), status, code]).toEqual([named(route), own.status, own.body?.code]);
    expect([named(route), code]).not.toEqual([named(route), 'impersonation_area_closed']);
  }
});

test('a route closes its area by its own declaration', async () => {
  expect(await client.get('/api/messages/')).toMatchObject({
    status: 403,
    body: { code: 'impersonation_area_closed' },
  });
  expect(await client.get('/api/declared/')).toMatchObject({ status: 403, body: { code: 'impersonation_read_only' } });
  expect(await client.post('/api/changes/', {})).toMatchObject({
    status: 403,
    body: { code: 'impersonation_read_only' },
  });
});

test('the database refuses a write that the API let through', async () => {
  const { organizationId, member } = world;
  expect((await client.get('/api/mistaken/')).status).toBe(500);
  const [session] = await asOwner<{ id: string; impersonated: boolean }>(
    'SELECT id, impersonation_id IS NOT NULL AS impersonated FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 1',
    [member.userId],
  );
  expect(session?.impersonated).toBe(true);
  const open = async (then: string) => {
    const { Client: Postgres } = await import('pg');
    const runtime = new Postgres({ connectionString: process.env['DATABASE_URL'] as string });
    await runtime.connect();
    try {
      // The transaction begins like that of a change: only the look-up of the actor makes it READ ONLY.
      await runtime.query('BEGIN');
      await runtime.query('SELECT app.load_actor($1, $2, $3, NULL, 1000, true, 0)', [
        session?.id,
        member.userId,
        organizationId,
      ]);
      await runtime.query(then);
    } finally {
      await runtime.end();
    }
  };
  await expect(open('UPDATE users SET phone_number = NULL WHERE false')).rejects.toMatchObject({ code: '25006' });
  await expect(open('SET transaction_read_only = off')).rejects.toMatchObject({ code: '25001' });
});

test('stop, refresh and log-out stay open during an impersonation', async () => {
  const impersonation = await impersonating(api.url, world);
  const refreshed = await new Client(api.url).post('/api/auth/token/refresh/', {
    refresh_token: impersonation.refresh,
  });
  expect(refreshed.status).toBe(200);
  const next = new Client(api.url, { token: refreshed.body.access_token });
  expect((await next.post('/api/auth/impersonate/stop/', { restore_token: impersonation.restore })).status).toBe(200);
  const another = await impersonating(api.url, world);
  expect((await another.client.post('/api/auth/logout/')).status).toBe(204);
});
