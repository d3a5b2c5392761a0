/** Tests what happens between a request and its answer: authentication, commit, and the order of the two. */
import { z } from 'zod';
import { withoutRule } from '../../../api/http/policy.js';
import { AfterCommit, Answer, get, post, type Route } from '../../../api/http/routes.js';
import { rows } from '../../../models/database/rows.js';
import { invalid, refuse } from '../../../models/errors.js';
import { Client } from '../../support/api.js';
import { anApi } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aPlatformAdmin, aUser, aWorld, signIn, type World } from '../../support/world.js';

const rule = withoutRule('a probe');

const rename = () => rows(`UPDATE organizations SET name = 'Renamed' WHERE id = app.org_id()`);
const Who = z.object({ user: z.uuid(), organization: z.uuid().nullable() });
const summary = 'Scratch';

const scratch: Route[] = [
  get('/who/', { summary, access: 'tenant', rule, response: Who }, async ({ actor }) => ({
    user: actor.userId,
    organization: actor.organizationId,
  })),
  get('/account/', { summary, access: 'account', rule: withoutRule('a probe'), response: Who }, async ({ actor }) => ({
    user: actor.userId,
    organization: actor.facts.organization_id,
  })),
  get('/platform/', { summary, access: 'platform', response: z.literal('ok') }, async () => 'ok' as const),
  get('/sneaky/', { summary, access: 'tenant', rule }, async () => {
    try {
      await rename();
    } catch (error) {
      throw invalid('sqlstate', (error as { code: string }).code);
    }
  }),
  get('/writes/', { summary, access: 'tenant', rule, writes: true }, async () => void (await rename())),
  post(
    '/renames/',
    { summary, access: 'tenant', rule, body: z.object({ fail: z.boolean().default(false) }) },
    async ({ body }) => {
      await rename();
      if (body.fail) throw refuse.conflict();
    },
  ),
  post('/swallows/', { summary, access: 'tenant', rule }, async () => {
    await rename();
    await rows('SELECT 1 / 0').catch(() => undefined);
  }),
  post('/later/', { summary, access: 'tenant', rule, response: z.string(), alsoStatus: [202] }, async () => {
    await rename();
    return new AfterCommit(async () => {
      const [found] = await asOwner<{ n: number }>(
        `SELECT count(*)::int AS n FROM organizations WHERE name = 'Renamed'`,
      );
      return new Answer(`committed: ${found?.n}`, { status: 202 });
    });
  }),
  post(
    '/cookies/',
    { summary, access: 'public', throttle: [] },
    async () => new Answer(undefined, { cookies: [{ name: 'a', value: 'b', path: '/api/auth/', maxAgeSeconds: 60 }] }),
  ),
  get('/lies/', { summary, access: 'public', throttle: [], response: z.object({ n: z.int() }) }, async () => ({
    n: 1.5,
  })),
];

let world: World;
const as = (token: string, headers: Record<string, string> = {}) => new Client(api.url, { token, headers });
const nameOf = async () =>
  (await asOwner<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [world.organizationId]))[0]?.name;

const api = anApi({ routes: scratch });
beforeEach(async () => {
  await asOwner(`UPDATE organizations SET name = 'Other' WHERE name = 'Renamed'`);
  world = await aWorld();
});

const statusAndCode = ({ status, body }: { status: number; body: { code?: string } }) => [status, body?.code];

test('without a credential the answer is 401', async () => {
  expect(statusAndCode(await new Client(api.url).get('/who/'))).toEqual([401, 'not_authenticated']);
});

test('a token signed by another key is a 401', async () => {
  expect(statusAndCode(await as('made.up.token').get('/who/'))).toEqual([401, 'token_invalid']);
});

test('the cookie takes precedence over the bearer token', async () => {
  const client = as('made.up.token', { Cookie: `access_token=${world.member.token}` });
  expect((await client.get('/who/')).body).toEqual({ user: world.member.userId, organization: world.organizationId });
});

test('a revoked session ends at once', async () => {
  await asOwner('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [world.member.userId]);
  expect(statusAndCode(await as(world.member.token).get('/who/'))).toEqual([401, 'session_ended']);
});

test('a membership without access ends the session', async () => {
  const pnm = await aMember(world.organizationId, world.chapterId, 'member', 'pnm');
  expect(statusAndCode(await as(pnm.token).get('/who/'))).toEqual([401, 'membership_ended']);
});

test('a platform admin names the organization, and other people cannot name another one', async () => {
  const { token } = await aPlatformAdmin();
  const other = await aWorld();
  const header = { 'X-Organization-Id': world.organizationId };
  expect(statusAndCode(await as(token).get('/who/'))).toEqual([400, 'organization_required']);
  expect((await as(token, header).get('/who/')).body.organization).toBe(world.organizationId);
  expect((await as(world.member.token, header).get('/who/')).status).toBe(200);
  expect(statusAndCode(await as(other.admin.token, header).get('/who/'))).toEqual([403, 'organization_forbidden']);
  expect(statusAndCode(await as(token, { 'X-Organization-Id': 'x' }).get('/who/'))).toEqual([400, 'validation_error']);
});

test('an account route needs no organization', async () => {
  const token = await signIn(await aUser(), null);
  expect((await as(token).get('/account/')).body.organization).toBeNull();
});

test('a platform route is for platform admins', async () => {
  expect(statusAndCode(await as(world.admin.token).get('/platform/'))).toEqual([403, 'forbidden']);
  expect((await as((await aPlatformAdmin()).token).get('/platform/')).status).toBe(200);
});

test('a person who must change the password is refused until they do', async () => {
  await asOwner('UPDATE users SET must_change_password = true WHERE id = $1', [world.member.userId]);
  expect(statusAndCode(await as(world.member.token).get('/who/'))).toEqual([403, 'password_change_required']);
});

test('Postgres itself refuses a write in a GET', async () => {
  expect((await as(world.admin.token).get('/sneaky/')).body.errors).toEqual({ sqlstate: ['25006'] });
  expect(await nameOf()).not.toBe('Renamed');
});

test('a GET that is declared as writing may write', async () => {
  expect((await as(world.admin.token).get('/writes/')).status).toBe(204);
  expect(await nameOf()).toBe('Renamed');
});

test('a refused request leaves nothing written', async () => {
  expect(statusAndCode(await as(world.admin.token).post('/renames/', { fail: true }))).toEqual([409, 'conflict']);
  expect(await nameOf()).not.toBe('Renamed');
  expect((await as(world.admin.token).post('/renames/')).status).toBe(204);
  expect(await nameOf()).toBe('Renamed');
});

test('a request that swallows a failed statement answers 500 instead of committing', async () => {
  expect(statusAndCode(await as(world.admin.token).post('/swallows/'))).toEqual([500, 'server_error']);
  expect(await nameOf()).not.toBe('Renamed');
});

test('work after the commit sees the committed rows and may set the status', async () => {
  expect(await as(world.admin.token).post('/later/')).toMatchObject({ status: 202, body: 'committed: 1' });
});

test('cookies are HttpOnly, SameSite=Lax and bound to their path', async () => {
  const { headers } = await new Client(api.url).post('/cookies/');
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^a=b; Max-Age=60; Path=\/api\/auth\/; .*HttpOnly; SameSite=Lax$/),
  ]);
});

test('an answer that differs from its documentation fails in tests', async () => {
  expect((await new Client(api.url).get('/lies/')).status).toBe(500);
});

test('a caller who disconnects early does no harm', async () => {
  const aborted = fetch(`${api.url}/who/`, {
    headers: { Authorization: `Bearer ${world.member.token}` },
    signal: AbortSignal.timeout(1),
  });
  await expect(aborted).rejects.toThrow();
  expect((await as(world.member.token).get('/who/')).status).toBe(200);
});

test('a connection that the database terminates fails one request, not the process', async () => {
  const cut = () =>
    asCutter(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'membership'`,
    );
  await as(world.member.token).get('/who/');
  await cut();
  const statuses = [];
  for (let n = 0; n < 10; n += 1) statuses.push((await as(world.member.token).get('/who/')).status);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses.at(-1)).toBe(200);
});

/** Connects as the runtime role, which may end its own connections. */
async function asCutter(text: string): Promise<void> {
  const { createAuxiliaryPool: directPool } = await import('../../../models/database/auxiliaryPool.js');
  const pool = directPool();
  await pool.query(text);
  await pool.end();
}
