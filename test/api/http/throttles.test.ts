/** Tests throttles: whose budget a request uses, the exact limits, and the behaviour without the store. */
import { z } from 'zod';
import { withoutRule } from '../../../api/http/policy.js';
import { get, post, type Route } from '../../../api/http/routes.js';
import { BatchedStore } from '../../../api/http/throttles/batchedStore.js';
import { limitOf, SCOPES, type ThrottleScope } from '../../../api/http/throttles/scopes.js';
import { countIn, pruneWindows } from '../../../api/http/throttles/store.js';
import { createThrottles } from '../../../api/http/throttles/throttles.js';
import { createAuxiliaryPool } from '../../../models/database/auxiliaryPool.js';
import { signToken } from '../../../models/identity/tokens.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { Client, type RunningApi, startApi } from '../../support/api.js';
import { allRoutes } from '../../../api/routes.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aWorld, signIn } from '../../support/world.js';

const ok = z.literal('ok');
const answer = () => Promise.resolve('ok' as const);
const Email = z.object({ email: z.string() });

const throttled = (path: string, throttle: readonly ThrottleScope[]): Route =>
  post(path, { summary: path, access: 'public', throttle, body: Email.partial(), response: ok }, answer);

const scratch: Route[] = [
  throttled('/sso/', ['sso']),
  throttled('/auth/', ['auth']),
  throttled('/reset/', ['password_reset', 'password_reset_email']),
  throttled('/passkey/', ['passkey_complete']),
  throttled('/free/', []),
  post(
    '/own/',
    { summary: 'Own', access: 'account', rule: withoutRule('a probe'), throttle: ['passkey_complete'], response: ok },
    answer,
  ),
  get('/default/', { summary: 'Default', access: 'public', response: ok }, answer),
];

const apis: RunningApi[] = [];
const start = async (options: Parameters<typeof startApi>[0] = {}) => {
  const api = await startApi({ routes: scratch, ...options });
  apis.push(api);
  return new Client(api.url);
};
const tokenOf = (sub = uuidv7()) => signToken({ typ: 'access', sub, sid: uuidv7(), org: null }, 60);
const statuses = async (times: number, call: () => Promise<{ status: number }>) => {
  const all = await Promise.all(Array.from({ length: times }, call));
  return {
    passed: all.filter(({ status }) => status < 400).length,
    refused: all.filter(({ status }) => status === 429).length,
  };
};

beforeEach(() => asOwner('DELETE FROM throttles'));
afterEach(() => Promise.all(apis.splice(0).map((api) => api.close())));
afterAll(closeOwner);

test('the limits are those of the table, with higher ones outside production', () => {
  const inProduction = (scope: ThrottleScope) => limitOf(scope, { THROTTLE_LIMITS: {}, production: true });
  expect([inProduction('default_anonymous'), inProduction('default_authenticated'), inProduction('auth')]).toEqual([
    2000, 2000, 60,
  ]);
  expect([limitOf('default_anonymous'), limitOf('default_authenticated'), limitOf('auth')]).toEqual([
    10_000, 100_000, 60,
  ]);
});

test('the configuration changes limits', () => {
  expect(limitOf('auth', { THROTTLE_LIMITS: { auth: 900 }, production: true })).toBe(900);
  const exchanges = (limits: Record<string, number>) =>
    limitOf('sso_exchange', { THROTTLE_LIMITS: limits, production: true });
  expect([exchanges({}), exchanges({ sso: 50 }), exchanges({ sso: 50, sso_exchange: 5 })]).toEqual([20, 50, 5]);
});

test('two processes together let exactly the limit through', async () => {
  const [one, other] = [await start(), await start()];
  const results = await Promise.all([statuses(25, () => one.post('/sso/')), statuses(25, () => other.post('/sso/'))]);
  expect(results.map(({ passed }) => passed).reduce((sum, passed) => sum + passed)).toBe(SCOPES.sso.limit);
});

test('a refusal says in whole seconds when to retry', async () => {
  const client = await start();
  await statuses(20, () => client.post('/sso/'));
  const reply = await client.post('/sso/');
  expect(reply).toMatchObject({
    status: 429,
    body: { code: 'throttled', detail: expect.stringMatching(/in \d+ seconds/) },
  });
  expect(reply.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
  expect(reply.headers.get('ratelimit')).toMatch(/^"sso"; r=0; t=\d+$/);
  expect(reply.headers.get('ratelimit-policy')).toMatch(/^"sso"; q=20; w=60/);
});

test('a window begins again after its end by the clock of the database', async () => {
  const client = await start();
  await statuses(20, () => client.post('/sso/'));
  await asOwner(`UPDATE throttles SET resets_at = now() - interval '1 second'`);
  expect((await client.post('/sso/')).status).toBe(200);
});

test('a scope in the list replaces the default scope', async () => {
  const client = await start();
  expect((await client.post('/auth/')).headers.get('ratelimit-policy')).toMatch(/^"auth"; q=60; w=60; pk=:[^:]+:$/);
});

test('two scopes both apply, and the address in the body has a budget of its own', async () => {
  const client = await start();
  const reset = (email: string) => client.post('/reset/', { email });
  for (const email of ['a@example.org', ' A@example.org', 'A@EXAMPLE.ORG'])
    expect((await reset(email)).status).toBe(200);
  expect((await reset('a@example.org')).status).toBe(429);
  expect((await reset('b@example.org')).status).toBe(200);
  expect((await reset('b@example.org')).headers.get('ratelimit-policy')).toMatch(
    /"password_reset"; .*"password_reset_email"; /,
  );
  const keys = await asOwner<{ key: string }>(`SELECT key FROM throttles WHERE scope = 'password_reset_email'`);
  expect(JSON.stringify(keys)).not.toContain('example');
});

test('a route with an empty list of scopes is exempt', async () => {
  const client = await start();
  expect((await client.post('/free/')).headers.get('ratelimit')).toBeNull();
});

test('IPv6 addresses of one /64 share a budget, and a forged leftmost forwarded address gets none', async () => {
  const client = await start();
  await client.post('/auth/', undefined, { 'X-Forwarded-For': '6.6.6.6' });
  expect(await asOwner('SELECT key, hits FROM throttles')).toEqual([{ key: 'ip:127.0.0.1', hits: 1 }]);
  const { keyOf } = await import('../../../api/http/throttles/keys.js');
  const key = (remoteAddress: string) => keyOf('ip', { headers: {}, socket: { remoteAddress } } as never, false);
  expect(key('2001:db8:1:2::1')).toBe(key('2001:db8:1:2:ffff::9'));
  expect(key('2001:db8:1:3::1')).not.toBe(key('2001:db8:1:2::1'));
});

test('signed-in people at one address have one budget each across their sessions, and a forged token has none', async () => {
  const client = await start();
  const { organizationId, member, officer } = await aWorld();
  const as = (token: string) => client.post('/own/', undefined, { Authorization: `Bearer ${token}` });
  await statuses(30, () => as(member.token));
  for (const token of [member.token, await signIn(member.userId, organizationId)]) {
    expect((await as(token)).status).toBe(429);
  }
  expect((await as(officer.token)).status).toBe(200);
  await statuses(30, () => client.post('/passkey/'));
  for (const token of ['made.up.token', tokenOf(), officer.token]) {
    expect((await client.post('/passkey/', undefined, { Authorization: `Bearer ${token}` })).status).toBe(429);
  }
});

test('a token has no budget of its own at any public route, because one account can have many tokens', async () => {
  const { member } = await aWorld();
  const client = await start({ routes: allRoutes });
  const spent = async ({ method, path }: Route, headers: Record<string, string>) => {
    const address = path.replaceAll(/:[^/]+/g, uuidv7());
    const reply = await client.send(method.toUpperCase(), address, method === 'get' ? undefined : {}, headers);
    return [path, reply.headers.get('ratelimit-policy')];
  };
  const asMember = { Authorization: `Bearer ${member.token}` };
  const counted = allRoutes.filter(({ spec }) => spec.access === 'public' && spec.throttle?.length !== 0);
  expect(counted.length).toBeGreaterThan(20);
  for (const route of counted) {
    const [token, nobody] = [await spent(route, asMember), await spent(route, {})];
    expect(nobody[1]).toMatch(/pk=/);
    expect(token).toEqual(nobody);
  }
});

test('the throttle reads an address from the body as the route does, also behind a byte order mark', async () => {
  const client = await start();
  const body = `\uFEFF${JSON.stringify({ email: 'a@example.org' })}`;
  const reset = () =>
    fetch(`${apis[0]?.url}/reset/`, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
  expect(await statuses(5, reset)).toEqual({ passed: 3, refused: 2 });
  expect((await client.post('/reset/', { email: 'a@example.org' })).status).toBe(429);
});

test('without the store sensitive scopes answer 503, and others continue', async () => {
  const pool = createAuxiliaryPool();
  await pool.end();
  const client = await start({ throttles: createThrottles(countIn(() => pool)) });
  const reply = await client.post('/auth/');
  expect(reply).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await client.get('/default/')).status).toBe(200);
});

test('the store recovers after its connections were cut', async () => {
  const client = await start();
  expect((await client.post('/auth/')).status).toBe(200);
  const pool = createAuxiliaryPool();
  await pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()',
  );
  await pool.end();
  const again = async () => (await client.post('/auth/')).status;
  const statuses = [await again(), await again(), await again()];
  expect(statuses.at(-1)).toBe(200);
});

test('the daily default costs no round trip and reaches the store in a batch', async () => {
  const statements: number[] = [];
  const throttles = createThrottles((scope, seconds, hits) => {
    statements.push([...hits.values()].reduce((sum, n) => sum + n));
    return countIn()(scope, seconds, hits);
  });
  const client = await start({ throttles });
  await statuses(30, () => client.get('/default/'));
  expect(statements).toEqual([]);
  await throttles.close();
  expect(statements).toEqual([30]);
  expect(await asOwner('SELECT scope, hits FROM throttles')).toEqual([{ scope: 'default_anonymous', hits: 30 }]);
});

test('batched counts of two processes add up within the stated bound', async () => {
  const stores = [
    new BatchedStore('default_anonymous', 60, countIn()),
    new BatchedStore('default_anonymous', 60, countIn()),
  ];
  for (const store of stores) for (let hit = 0; hit < 40; hit += 1) store.increment('ip:1');
  expect(stores[0]?.increment('ip:1').totalHits).toBe(41);
  for (const store of stores) await store.flush();
  expect(stores[1]?.increment('ip:1').totalHits).toBe(82);
  for (const store of stores) await store.shutdown();
});

test('fifty hits of one caller reach the store at once, and the rest after two seconds', async () => {
  const flushed: number[] = [];
  const store = new BatchedStore('default_anonymous', 60, async (_scope, _seconds, hits) => {
    flushed.push(hits.get('ip:1') ?? 0);
    return new Map([['ip:1', { hits: 50, secondsLeft: 60 }]]);
  });
  for (let hit = 0; hit < 50; hit += 1) store.increment('ip:1');
  expect(flushed).toEqual([50]);
  await store.shutdown();
});

test('hits that could not reach the store are sent later', async () => {
  let down = true;
  const store = new BatchedStore('default_anonymous', 60, (scope, seconds, hits) =>
    down ? Promise.reject(new Error('down')) : countIn()(scope, seconds, hits),
  );
  store.increment('ip:1');
  await store.flush();
  expect(store.increment('ip:1').totalHits).toBe(2);
  down = false;
  await store.shutdown();
  expect(await asOwner('SELECT hits FROM throttles')).toEqual([{ hits: 2 }]);
});

test('ended windows are purged, and others stay', async () => {
  await asOwner(
    `INSERT INTO throttles SELECT 'auth', 'old' || n, 1, now() - interval '1 hour' FROM generate_series(1, 2500) n`,
  );
  await asOwner(`INSERT INTO throttles VALUES ('auth', 'current', 1, now() + interval '1 hour')`);
  expect(await pruneWindows()).toBe(2500);
  expect(await asOwner('SELECT key FROM throttles')).toEqual([{ key: 'current' }]);
});
