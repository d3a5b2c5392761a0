/** Reads at a real replica, which is paused, killed and restarted: every session reads its own writes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Database } from 'pg';
import { register } from 'prom-client';
import { type Replicated, startReplicated } from './replicated.js';
import type { Client } from '../support/api.js';
import type { Person, World } from '../support/world.js';

type Modules = Awaited<ReturnType<typeof loaded>>;
type Running = Awaited<ReturnType<Modules['api']['startApi']>>;

let replicated: Replicated;
let of: Modules;
let api: Running;
let world: World;
let other: World;

/** Imported after the environment names the two servers: `config.ts` reads it once. */
async function loaded() {
  return {
    api: await import('../support/api.js'),
    world: await import('../support/world.js'),
    owner: await import('../support/owner.js'),
    config: (await import('../../config.js')).config,
    connection: await import('../../models/database/connection.js'),
    replica: await import('../../models/database/replica.js'),
    temporal: await import('../../gateways/temporal/client.js'),
  };
}

beforeAll(async () => {
  replicated = await startReplicated({ READ_LAG_SECONDS: '3' });
  of = await loaded();
  [world, other] = [await of.world.aWorld({ members: 2 }), await of.world.aWorld({ members: 1 })];
  api = await of.api.startApi();
  await untilUsed(true);
}, 60_000);

afterAll(async () => {
  await api.close();
  await Promise.all([of.connection.sequelize.close(), of.connection.replicaPool?.close(), of.owner.closeOwner()]);
  await of.temporal.closeTemporal();
  await replicated.close();
}, 30_000);

const untilUsed = (used: boolean) =>
  until(async () => (of.replica.replicaState()?.leftOut === null) === used, `the replica is ${used ? '' : 'not '}used`);

async function until(come: () => Promise<boolean>, what: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; !(await come()); await sleep(20))
    if (Date.now() > deadline)
      throw new Error(`Not within 20 s: ${what}, ${JSON.stringify(of.replica.replicaState())}`);
}

/** A browser, which returns the cookies that it gets. */
function browserOf({ token }: Pick<Person, 'token'>): Client {
  const browser = new of.api.Client(api.url);
  browser.setCookie('access_token', token);
  return browser;
}

const regions = ({ organizationId }: World, id = '') =>
  `/api/organizations/${organizationId}/regions/${id && `${id}/`}`;

/** A signed-in person with their own region; their browser knows the LSN of its last write. */
async function somebody(at: World = world) {
  const browser = browserOf({ token: await of.world.signIn(at.admin.userId, at.organizationId) });
  const made = await browser.post(regions(at), { name: `Region ${Math.random()}` });
  expect(made.status).toBe(201);
  const path = regions(at, made.body.id);
  let version = made.body.version as number;
  return {
    browser,
    path,
    rename: async (name: string) => {
      const { status, body } = await browser.patch(path, { name, version });
      expect(status).toBe(200);
      version = body.version;
    },
    name: async () => (await browser.get(path)).body.name as string,
  };
}

/** Counts the reads of each server during the work. */
async function reads(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const counted = async () => {
    const metric = register.getSingleMetric('membership_database_reads_total');
    const values = (await metric?.get())?.values ?? [];
    return new Map(values.map(({ labels, value }) => [`${labels['server']} ${labels['why']}`, value]));
  };
  const before = await counted();
  await work();
  const found = [...(await counted())].map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(found.filter(([, count]) => count > 0));
}

/** Waits until the replica shows everything that is written now. */
async function level(): Promise<void> {
  const { browser, path } = await somebody();
  await until(async () => 'replica replayed' in (await reads(() => browser.get(path))), 'it has caught up');
}

test('a session that has the LSN of its write reads at the replica, and one without it on the primary', async () => {
  const one = await somebody();
  expect(one.browser.cookie('read_after')).toEqual(expect.any(String));
  await level();
  expect(await reads(() => one.browser.get(one.path))).toEqual({ 'replica replayed': 1 });
  expect(await reads(() => browserOf(world.member).get(one.path))).toEqual({ 'primary unknown': 1 });

  const native = new of.api.Client(api.url, { token: world.admin.token });
  const written = await native.patch(regions(world, world.regionId), { name: 'Northern', version: 1 });
  expect(written.headers.getSetCookie()).toEqual([]);
  const after = { 'X-Read-After': written.headers.get('X-Read-After') as string };
  await level();
  expect(await reads(() => native.get(one.path, after))).toEqual({ 'replica replayed': 1 });
  expect(await reads(() => native.get(one.path, { 'X-Read-After': 'nonsense' }))).toEqual({ 'primary unknown': 1 });
});

test('reads for decisions and of the current state use the primary: own account, notifications, processes', async () => {
  const { browser } = await somebody();
  for (const path of ['/api/auth/me/', '/api/notifications/', '/api/processes/'])
    expect([path, await reads(() => browser.get(path))]).toEqual([path, {}]);
});

test('every session sees its own writes while the replica is paused and resumed', async () => {
  const sessions = await Promise.all([somebody(), somebody(), somebody(other), somebody(other)]);
  const over = new AbortController();
  const holding = (async () => {
    while (!over.signal.aborted) {
      await replicated.pause();
      await sleep(Math.random() * 250);
      await replicated.resume();
      await sleep(Math.random() * 150);
    }
  })();
  const missed: string[] = [];
  const once = () =>
    Promise.all(
      sessions.map(async ({ rename, name }, who) => {
        for (let n = 0; n < 20; n += 1) {
          if (Math.random() < 0.4) await rename(`${who} ${n}`);
          else await rename(`${who} ${n}`).then(() => sleep(Math.random() * 60));
          const seen = await name();
          if (seen !== `${who} ${n}`) missed.push(`${who} ${n}: ${seen}`);
        }
      }),
    );
  // Until both have been tried, which takes longer on a busy machine: otherwise the test would show nothing.
  let [there, passedOver] = [0, 0];
  while (missed.length === 0 && (there <= 10 || passedOver <= 10)) {
    const counted = await reads(once);
    there += counted['replica replayed'] ?? 0;
    passedOver += counted['primary not_replayed'] ?? 0;
  }
  over.abort();
  await holding;
  expect(missed).toEqual([]);
  expect(there).toBeGreaterThan(10);
  expect(passedOver).toBeGreaterThan(10);
});

test('other sessions see older data while the replica lags, and the writer sees the current data', async () => {
  const [writer, reader] = [await somebody(), await somebody()];
  await writer.rename('Before');
  await level();
  await replicated.pause();
  try {
    await writer.rename('After');
    expect(await writer.name()).toBe('After');
    expect((await reader.browser.get(writer.path)).body.name).toBe('Before');
    // By the cookie alone, as at a process without knowledge of the session.
    const elsewhere = browserOf(world.officer);
    elsewhere.setCookie('read_after', writer.browser.cookie('read_after') as string);
    expect((await elsewhere.get(writer.path)).body.name).toBe('After');
    // A row that another session created a moment ago: what the replica does not find is read from the primary.
    const made = await writer.browser.post(regions(world), { name: 'Made meanwhile' });
    expect((await reader.browser.get(regions(world, made.body.id))).body.name).toBe('Made meanwhile');
  } finally {
    await replicated.resume();
  }
});

test('tenants are isolated at the replica as on the primary, and writes are refused', async () => {
  const [own, stranger] = [await somebody(), await somebody(other)];
  await level();
  expect((await stranger.browser.get(own.path)).status).toBe(404);
  const list = await reads(async () => {
    const { body } = await stranger.browser.get(regions(other));
    expect(body.map(({ organization }: { organization: string }) => organization)).not.toContain(world.organizationId);
  });
  expect(list).toEqual({ 'replica replayed': 1 });
  const client = new Database({ connectionString: replicated.replicaUrl });
  await client.connect();
  expect((await client.query('SELECT FROM regions')).rowCount).toBe(0);
  await expect(client.query('DELETE FROM sessions')).rejects.toThrow('read-only transaction');
  await client.end();
});

test('a person who signs out or leaves the organization is refused at once, even when the replica lags', async () => {
  const leaver = await of.world.aMember(world.organizationId, world.chapterId);
  const [browser, left] = [browserOf(world.member), browserOf(leaver)];
  const { browser: admin } = await somebody();
  const position = admin.cookie('read_after') as string;
  for (const one of [browser, left]) one.setCookie('read_after', position);
  const path = regions(world);
  await level();
  expect(await reads(() => Promise.all([browser.get(path), left.get(path)]))).toEqual({ 'replica replayed': 2 });
  await replicated.pause();
  try {
    await of.owner.asOwner('UPDATE memberships SET status = $2 WHERE id = $1', [leaver.membershipId, 'inactive']);
    await new of.api.Client(api.url, { token: world.member.token }).post('/api/auth/logout/', {});
    // A request with a stolen token, without the cookie that the sign-out set.
    expect((await browser.get(path)).status).toBe(401);
    expect((await left.get(path)).status).toBe(401);
  } finally {
    await replicated.resume();
  }
});

test('a lagging replica is excluded without changing readiness, and used again after it has caught up', async () => {
  const one = await somebody();
  await level();
  const ready = async () => (await one.browser.get('/readyz/')).body;
  expect(await ready()).toMatchObject({ status: 'ready', replica: { used: true, lag_seconds: expect.any(Number) } });
  await replicated.pause();
  await one.rename('Late');
  await untilUsed(false);
  const { replica, status } = await ready();
  expect(status).toBe('ready');
  expect(replica).toEqual({ used: false, lag_seconds: expect.any(Number) });
  expect(replica.lag_seconds).toBeGreaterThan(of.config.READ_LAG_SECONDS);
  // No request waits for the replica any more.
  expect(await reads(() => one.name())).toEqual({ 'primary left_out': 1 });
  expect(await register.metrics()).toMatch(/^membership_replica_used 0$/m);
  await replicated.resume();
  await untilUsed(true);
  await level();
});

test('a new process uses the replica only once it has caught up', async () => {
  const one = await somebody();
  await level();
  await replicated.pause();
  await one.rename('Before the start');
  await api.close();
  api = await of.api.startApi();
  await until(async () => of.replica.replicaState()?.leftOut === 'it lags', 'it is known to lag');
  await replicated.resume();
  await untilUsed(true);
});

test('reads are answered while the replica is killed, and it is used again once it runs', async () => {
  const sessions = await Promise.all([somebody(), somebody(), somebody(other)]);
  await level();
  const over = new AbortController();
  const statuses = new Set<number>();
  const reading = sessions.map(async ({ browser, path }) => {
    while (!over.signal.aborted) statuses.add((await browser.get(path)).status);
  });
  await sleep(100);
  await replicated.kill();
  await untilUsed(false);
  expect(of.replica.replicaState()?.lagSeconds).toBeNull();
  await replicated.start();
  await untilUsed(true);
  await level();
  over.abort();
  await Promise.all(reading);
  expect([...statuses]).toEqual([200]);
}, 60_000);

test.each([
  ['the owner, who sees all tenants', () => replicated.replicaOwnerUrl, /owns tables/],
  ['the primary itself', () => replicated.primaryUrl, /not a standby/],
  ['another database', () => replicated.replicaUrl.replace(/\w+$/, 'postgres'), /another database/],
])('no read uses the replica as %s', async (_, url, why) => {
  await api.close();
  const changed = jest.replaceProperty(of.config, 'DATABASE_READ_URL', url());
  const stopLooking = of.replica.followReplica();
  await until(async () => why.test(of.replica.replicaState()?.leftOut ?? ''), String(why));
  await stopLooking();
  changed.restore();
  api = await of.api.startApi();
});
