/** Two APIs and two workers, in production mode, behind a proxy and a pooler in transaction mode: they act as one. */
import http from 'node:http';
import pg from 'pg';
import { givePassword, PASSWORD } from '../api/identity/accounts.support.js';
import { Client } from '../support/api.js';
import { asOwner } from '../support/owner.js';
import { inTenant } from '../../models/database/tenancy.js';
import { notifications } from '../../models/finances/notifications.js';
import { notify } from '../../models/notifications/notify.js';
import { expectSoundLedger } from '../support/ledger.js';
import { aProcessor } from '../support/platform.js';
import { connected } from '../support/socket.js';
import { SERVED_BY } from '../../development/stack/cluster/proxy.js';
import { anInvoice, aWorld, type World } from '../support/world.js';
import { type Deployment, startDeployment } from '../deployment/deployment.js';
import { payWhenServed, remittancesOf, workersOf } from '../deployment/remittances.support.js';

const AUTH_LIMIT = 12;
const DAILY_LIMIT = 300;
/** The number of requests that one process admits before it writes them to the shared counter (`batchedStore.ts`). */
const FLUSH_HITS = 50;

let deployment: Deployment;
let world: World;
let other: World;

beforeAll(async () => {
  const limits = { auth: AUTH_LIMIT, default_anonymous: DAILY_LIMIT, default_authenticated: 1_000_000 };
  deployment = await startDeployment({
    apis: 2,
    workers: 2,
    environment: { THROTTLE_LIMITS: JSON.stringify(limits) },
  });
  world = await aWorld({ members: 3 });
  other = await aWorld({ members: 3 });
  await aProcessor(world);
});

afterAll(() => deployment.close());

const through = (person: { token: string }): Client => new Client(deployment.proxy.url, { token: person.token });
/** One client at each of the two APIs, as a proxy would distribute its requests. */
const atEach = (token: string): Client[] => deployment.apis.map(({ url }) => new Client(url, { token }));

/** One request from this loopback address. */
function requestFrom(address: string, path: string, body?: object, headers: http.OutgoingHttpHeaders = {}) {
  return new Promise<{ status: number; servedBy: string }>((resolve, reject) => {
    const request = http.request(
      deployment.proxy.url + path,
      {
        localAddress: address,
        method: body ? 'POST' : 'GET',
        headers: { 'Content-Type': 'application/json', 'X-Client': 'native', ...headers },
      },
      (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode ?? 0, servedBy: String(answer.headers[SERVED_BY]) });
      },
    );
    request.once('error', reject).end(body ? JSON.stringify(body) : undefined);
  });
}

describe('throttles', () => {
  let attempts = 0;
  // A different account each time: the failure limit of one account is not tested here.
  const logIn = (address: string, headers = {}) =>
    requestFrom(address, '/api/auth/login/', { email: `nobody${(attempts += 1)}@example.org`, password: 'x' }, headers);

  test('a limit of N applies to both APIs together, for any address that the caller claims', async () => {
    const answers: { status: number; servedBy: string }[] = [];
    for (let n = 0; n < AUTH_LIMIT; n += 1) {
      const spoofed = { 'X-Forwarded-For': `203.0.113.${n}` };
      answers.push(...(await Promise.all([logIn('127.0.0.2', spoofed), logIn('127.0.0.2', spoofed)])));
    }
    const having = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect(having(401)).toBeLessThanOrEqual(AUTH_LIMIT);
    // An overloaded machine may answer 503 to an attempt that it has counted.
    expect(having(401) + having(503)).toBeGreaterThanOrEqual(AUTH_LIMIT);
    expect(having(401) + having(503) + having(429)).toBe(2 * AUTH_LIMIT);
    expect(having(429)).toBeGreaterThan(0);
    expect(new Set(answers.map(({ servedBy }) => servedBy)).size).toBe(2);
  });

  test('another address has a limit of its own', async () => {
    expect((await logIn('127.0.0.3')).status).not.toBe(429);
    expect((await logIn('127.0.0.2')).status).toBe(429);
  });

  test('a daily limit, which is counted in batches, is exceeded by at most one batch for each process', async () => {
    const statuses: number[] = [];
    const caller = async () => {
      for (let n = 0; n < 100; n += 1) statuses.push((await requestFrom('127.0.0.4', '/api/auth/me/')).status);
    };
    await Promise.all(Array.from({ length: 8 }, caller));
    const passed = statuses.filter((status) => status !== 429).length;
    expect(passed).toBeGreaterThanOrEqual(DAILY_LIMIT);
    expect(passed).toBeLessThanOrEqual(DAILY_LIMIT + 2 * FLUSH_HITS);
  });
});

describe('sessions', () => {
  async function logIn(): Promise<{ access_token: string; refresh_token: string }> {
    await givePassword(world.member.userId);
    const native = new Client(deployment.proxy.url, { headers: { 'X-Client': 'native' } });
    const answer = await native.post('/api/auth/login/', { email: world.member.email, password: PASSWORD });
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  }
  const refresh = (url: string, refresh_token: string) =>
    new Client(url, { headers: { 'X-Client': 'native' } }).post('/api/auth/token/refresh/', { refresh_token });
  const statusesOf = async (token: string) =>
    (await Promise.all(atEach(token).map((client) => client.get('/api/auth/me/')))).map(({ status }) => status);

  test('a token of one API is valid at the other, and a log-out ends it at both at once', async () => {
    const { access_token: token } = await logIn();
    expect(await statusesOf(token)).toEqual([200, 200]);
    const [first] = atEach(token);
    expect((await first?.post('/api/auth/logout/', {}))?.status).toBe(204);
    expect(await statusesOf(token)).toEqual([401, 401]);
  });

  test('refresh tokens are valid at both APIs, and a reused one ends the session at both', async () => {
    const login = await logIn();
    const urls = deployment.apis.map(({ url }) => url) as [string, string];
    let { refresh_token: token } = login;
    for (let n = 0; n < 6; n += 1) {
      const answer = await refresh(urls[n % 2] as string, token);
      expect(answer).toMatchObject({ status: 200 });
      token = answer.body.refresh_token;
    }
    expect(await refresh(urls[1], login.refresh_token)).toMatchObject({ status: 401 });
    expect(await refresh(urls[0], token)).toMatchObject({ status: 401 });
    expect(await statusesOf(login.access_token)).toEqual([401, 401]);
  });

  test('one of several concurrent uses of a refresh token at both APIs succeeds', async () => {
    const { refresh_token: token } = await logIn();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(deployment.proxy.url, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

test('a listener at both APIs gets each message once from either, and misses none when it moves to the other', async () => {
  const { membershipId, token, userId } = world.member;
  const tell = async () => {
    const invoice = await anInvoice(world, { chapterId: world.chapterId, membershipId });
    await inTenant(world.organizationId, () => notify(notifications.invoice_issued, [invoice]));
  };
  const storedIds = async () =>
    (await asOwner<{ id: string }>('SELECT id FROM notifications WHERE recipient_id = $1 ORDER BY id', [userId])).map(
      ({ id }) => id,
    );
  const before = await storedIds();
  const urls = deployment.apis.map(({ url }) => url) as [string, string];
  const sockets = await Promise.all(urls.map((url) => connected(url, { token })));
  for (let n = 0; n < 3; n += 1) await tell();
  const stored = (await storedIds()).filter((id) => !before.includes(id));
  expect(stored).toHaveLength(3);
  for (const socket of sockets) {
    const received = await socket.take('notification.created', 3);
    expect(received.map(({ notification }) => notification.id)).toEqual(stored);
  }
  // Later messages would arrive after repeated ones.
  await tell();
  for (const socket of sockets) {
    const [last] = await socket.take('notification.created');
    expect(stored).not.toContain(last?.['notification'].id);
  }
  await Promise.all(sockets.map((socket) => socket.close()));
  await tell();
  const back = await connected(urls[1], { token, since: stored.at(-1) as string });
  expect(await back.take('notification.created', 2)).toHaveLength(2);
  await back.close();
});

const { drafts, captures, settled } = remittancesOf(() => ({ deployment, world }));

test('remittances that are paid at both APIs at once are charged and settled once each, by either worker', async () => {
  const ids = await drafts(10);
  const clients = atEach(world.officer.token);
  const calls = ids.flatMap((id) => [...clients, ...clients].map((client) => payWhenServed(client, id)));
  const answers = await Promise.all(calls);
  for (const { status, body } of answers)
    expect([200, 'remittance_already_settled', 'remittance_in_progress']).toContain(status === 200 ? 200 : body.code);
  await Promise.all(ids.map(settled));
  expect(await Promise.all(ids.map(captures))).toEqual(ids.map(() => 1));
  expect(new Set((await Promise.all(ids.map(workersOf))).flat()).size).toBe(2);
  await expectSoundLedger();
});

describe('the pooler', () => {
  /** Runs a statement on every connection of the pooler to Postgres, by occupying all of them at once. */
  async function onEachConnection(text: string): Promise<Record<string, unknown>[]> {
    const clients = Array.from({ length: 6 }, () => new pg.Client({ connectionString: deployment.pooledUrl }));
    try {
      await Promise.all(clients.map((client) => client.connect()));
      await Promise.all(clients.map((client) => client.query('BEGIN')));
      return (await Promise.all(clients.map((client) => client.query(text)))).map(({ rows }) => rows[0]);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  }

  test("two tenants on the same few pooled connections never see each other's rows", async () => {
    const read = async (own: World, foreign: World) => {
      const [list, item] = await Promise.all([
        through(own.admin).get(`/api/chapters/${own.chapterId}/members/`),
        through(own.admin).get(`/api/chapters/${foreign.chapterId}/members/`),
      ]);
      expect([list.status, item.status]).toEqual([200, 404]);
      const text = JSON.stringify(list.body);
      expect(text).toContain(own.member.membershipId);
      for (const membership of foreign.memberships) expect(text).not.toContain(membership);
    };
    for (let round = 0; round < 15; round += 1)
      await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 ? read(world, other) : read(other, world))));
  });

  test('pooled connections keep nothing of earlier transactions', async () => {
    const settings = await onEachConnection(
      `SELECT pg_backend_pid() AS pid, coalesce(current_setting('app.organization_id', true), '') AS tenant,
              current_setting('statement_timeout') AS statement_timeout, current_setting('timezone') AS zone,
              current_setting('transaction_read_only') AS read_only,
              -- prepared statements hold no ids and no mail addresses; '%@' is the pattern of erased addresses
              (SELECT count(*)::int FROM pg_prepared_statements WHERE statement ~ '[0-9a-f]{8}-[0-9a-f]{4}-|[^%]@') AS telling,
              (SELECT count(*)::int FROM pg_listening_channels()) AS listening`,
    );
    const [fresh] = await asOwner(
      `SELECT current_setting('timezone') AS zone, current_setting('statement_timeout') AS statement_timeout`,
    );
    expect(new Set(settings.map(({ pid }) => pid)).size).toBe(6);
    for (const { pid: _, ...state } of settings)
      expect(state).toEqual({ ...fresh, tenant: '', read_only: 'off', telling: 0, listening: 0 });
  });

  test('the pooler serves many clients on few connections', async () => {
    const admin = new pg.Client({ connectionString: deployment.pooledUrl.replace(/[^/]+$/, 'pgbouncer') });
    await admin.connect();
    try {
      const { rows } = await admin.query('SHOW POOLS');
      const pool = rows.find(({ database }) => database === 'membership');
      expect(pool).toMatchObject({ pool_mode: 'transaction' });
      expect(Number(pool.cl_active) + Number(pool.cl_waiting)).toBeGreaterThan(
        Number(pool.sv_idle) + Number(pool.sv_active),
      );
    } finally {
      await admin.end();
    }
  });

  test('LISTEN is kept on connections outside of the pooler', async () => {
    const { rows } = await withSuperuser(
      `SELECT count(*)::int AS listeners FROM pg_stat_activity
        WHERE datname = current_database() AND query = 'LISTEN outbox'`,
    );
    expect(rows).toEqual([{ listeners: 2 }]);
  });
});

async function withSuperuser(text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: deployment.superuserUrl });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

test('a migration that changes a column under prepared statements fails no read through the pooler', async () => {
  const roster = `/api/chapters/${world.chapterId}/members/`;
  const readAll = async () => {
    const readers = Array.from({ length: 6 }, () => atEach(world.officer.token)).flat();
    const answers = await Promise.all(readers.map((reader) => reader.get(roster)));
    return answers.map(({ status, body }) => ({ status, people: body.results.length as number }));
  };
  const before = await readAll();
  expect(new Set(before.map(({ status, people }) => status === 200 && people > 0))).toEqual(new Set([true]));
  for (const type of ['bigint', 'integer']) {
    const [during] = await Promise.all([readAll(), asOwner(`ALTER TABLE memberships ALTER line_number TYPE ${type}`)]);
    expect([during, await readAll()]).toEqual([before, before]);
  }
});

test('an API stays ready when the schema already belongs to a later release', async () => {
  await asOwner("INSERT INTO schema_migrations (name) VALUES ('9999-of-a-later-release')");
  const answers = await Promise.all(deployment.apis.map(({ url }) => fetch(`${url}/readyz/`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});
