/** The sessions of the TypeScript client, with the real API. */
import { aBrowser, forgetAttempts, givePassword, PASSWORD } from '../api/identity/accounts.support.js';
import { passDeadline } from '../api/identity/impersonation.support.js';
import { apiWorld } from '../support/apiWorld.js';
import { asOwner } from '../support/owner.js';
import { aPlatformAdmin } from '../support/world.js';
import { counting, createClient, fetchOf, Store } from './client.support.js';

const REFRESH = '/api/auth/token/refresh/';

const { api, world } = apiWorld();
beforeAll(() => givePassword(world.admin.userId));
beforeEach(forgetAttempts);

/** A client of the admin, signed in. */
async function aSignedInClient() {
  const store = new Store();
  const counted = counting();
  const client = createClient({ baseUrl: api.url, session: store, fetch: counted.fetch });
  const body = { email: world.admin.email, password: PASSWORD };
  expect((await client.POST('/api/auth/login/', { body })).ok).toBe(true);
  return { client, store, count: counted.count };
}

const regions = '/api/organizations/{organization_id}/regions/';
const regionsOf = (organization_id: string) => ({ params: { path: { organization_id } } });
const countRegions = async (name: string) =>
  (await asOwner('SELECT FROM regions WHERE organization_id = $1 AND name LIKE $2', [world.organizationId, name]))
    .length;

test('a log-in saves the tokens of a bearer session, and a log-out deletes them', async () => {
  const { client, store } = await aSignedInClient();
  expect((await client.GET('/api/auth/me/')).data.user.id).toBe(world.admin.userId);
  expect(await client.POST('/api/auth/logout/', { body: {} })).toEqual({ ok: true, data: undefined });
  expect(store.tokens).toBeNull();
  expect(await client.GET('/api/auth/me/')).toMatchObject({ kind: 'refused', status: 401, code: 'not_authenticated' });
});

test('calls with an expired access token refresh the session once, and each change is made once', async () => {
  const { client, store, count } = await aSignedInClient();
  store.expire();
  const reads = Array.from({ length: 5 }, () => client.GET('/api/auth/me/'));
  const changes = Array.from({ length: 5 }, (_, n) =>
    client.POST(regions, { ...regionsOf(world.organizationId), body: { name: `Refreshed ${n}` } }),
  );
  const results = await Promise.all([...reads, ...changes]);
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
  expect([count(REFRESH), await countRegions('Refreshed %')]).toEqual([1, 5]);
});

test('clients that share a store or the cookies of a browser refresh once', async () => {
  const { client, store, count } = await aSignedInClient();
  const counted = counting();
  const second = createClient({ baseUrl: api.url, session: store, fetch: counted.fetch });
  store.expire();
  const results = await Promise.all([client, second].map((one) => one.GET('/api/auth/me/')));
  expect([...results.map(({ ok }) => ok), count(REFRESH) + counted.count(REFRESH)]).toEqual([true, true, 1]);

  const browser = await aBrowser(api.url, world.admin.email);
  const shared = counting(fetchOf(browser));
  const tabs = [1, 2, 3].map(() => createClient({ baseUrl: api.url, session: 'cookies', fetch: shared.fetch }));
  browser.setCookie('access_token', 'expired');
  const inTabs = await Promise.all(tabs.map((tab) => tab.GET('/api/auth/me/')));
  expect([...inTabs.map(({ ok }) => ok), shared.count(REFRESH)]).toEqual([true, true, true, 1]);
});

test('a session that has ended is an event, and the calls are refused after one refresh', async () => {
  const { client, store, count } = await aSignedInClient();
  const ended = jest.fn();
  client.on('sessionEnded', ended);
  await asOwner('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [world.admin.userId]);
  const results = await Promise.all([1, 2, 3].map(() => client.GET('/api/auth/me/')));
  expect(results.map(({ code }) => code)).toEqual(Array(3).fill('session_ended'));
  expect([ended.mock.calls.length, count(REFRESH), store.tokens]).toEqual([1, 1, null]);
});

test('a refresh that fails for now leaves the session, and the call is refused with its reason', async () => {
  const { client, store, count } = await aSignedInClient();
  const tokens = store.tokens;
  const throttled = { detail: 'Wait.', code: 'throttled' };
  const busy = createClient({
    baseUrl: api.url,
    session: store,
    fetch: (request: Request) =>
      request.url.endsWith(REFRESH)
        ? Promise.resolve(Response.json(throttled, { status: 429, headers: { 'Retry-After': '40' } }))
        : fetch(request),
  });
  store.expire();
  const change = busy.POST(regions, { ...regionsOf(world.organizationId), body: { name: 'Not created' } });
  expect(await change).toMatchObject({ kind: 'refused', status: 429, code: 'throttled', retryAfter: 40 });
  expect(store.tokens?.refresh_token).toBe(tokens?.refresh_token);
  expect((await client.GET('/api/auth/me/')).ok).toBe(true);
  expect([count(REFRESH), await countRegions('Not created')]).toEqual([1, 0]);
});

test("the end of an impersonation is an event: a read is made with the admin's own session, a change is not made", async () => {
  const { client, store } = await aSignedInClient();
  const ended = jest.fn();
  client.on('impersonationEnded', ended);
  const body = { membership: world.member.membershipId, reason: 'They cannot find their invoice.' };
  const change = { ...regionsOf(world.organizationId), body: { name: 'In whose name' } };
  const calls = [
    [() => client.GET('/api/auth/me/'), { data: { user: { id: world.admin.userId } } }],
    [() => client.POST(regions, change), { kind: 'refused', status: 401 }],
  ] as const;
  for (const [call, result] of calls) {
    expect(await client.POST('/api/auth/impersonate/', { body })).toMatchObject({ ok: true });
    store.expire();
    expect((await client.GET('/api/auth/me/')).data.user.id).toBe(world.member.userId);
    await passDeadline(world.member.userId);
    expect(await call()).toMatchObject(result);
  }
  expect([ended.mock.calls.length, store.tokens?.restore_token]).toEqual([2, undefined]);
  expect(await countRegions('In whose name')).toBe(0);
});

test('a platform admin names the organization, and reads the rows of all pages', async () => {
  const { token } = await aPlatformAdmin();
  const session = new Store({ access_token: token, refresh_token: 'unused' });
  const client = createClient({ baseUrl: api.url, session });
  const list = { params: { path: { id: world.chapterId }, query: { page_size: 2 } } };
  expect(await client.all('/api/chapters/{id}/members/', list)).toMatchObject({ code: 'organization_required' });
  client.organizationId = world.organizationId;
  const sizes: number[] = [];
  for await (const page of client.pages('/api/chapters/{id}/members/', list)) sizes.push(page.data.results.length);
  const { data } = await client.all('/api/chapters/{id}/members/', list);
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.slice(0, -1).every((size) => size === 2)).toBe(true);
  expect(new Set(data.map(({ id }: { id: string }) => id)).size).toBe(sizes.reduce((sum, size) => sum + size));
});
