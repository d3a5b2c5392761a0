/** The API as a process: the configuration that it refuses, the failures that it survives, its log and its shutdown. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createAuxiliaryPool } from '../../models/database/auxiliaryPool.js';
import { Client } from '../support/api.js';

interface Line {
  msg: string;
  port?: number;
  [field: string]: unknown;
}

const running: ChildProcess[] = [];

/** Starts the built API and collects its output. */
function run(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--enable-source-maps', path.resolve('dist/bin/api.js')], {
    env: { ...process.env, LOG_LEVEL: 'info', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const lines: Line[] = [];
  let complaint = '';
  createInterface({ input: child.stdout }).on('line', (text) => lines.push(JSON.parse(text) as Line));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number, complaint }));
  return { child, lines, ended };
}

async function eventually<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const listening = async ({ lines }: ReturnType<typeof run>) => {
  const { port } = await eventually(() => lines.find(({ msg }) => msg === 'the API is listening'));
  return new Client(`http://127.0.0.1:${port}`);
};

let serving: ReturnType<typeof run>;
let tooStrong: ReturnType<typeof run>;
let waiting: ReturnType<typeof run>;

beforeAll(() => {
  serving = run({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
  tooStrong = run({ DATABASE_URL: process.env['DATABASE_OWNER_URL'] as string });
  waiting = run({ DATABASE_URL: 'postgres://nobody:none@127.0.0.1:1/none' });
});
afterAll(() => {
  for (const child of running) if (child.exitCode === null) child.kill('SIGKILL');
});

test('the API refuses a database role that could bypass row level security', async () => {
  expect(await tooStrong.ended).toMatchObject({ code: 1, complaint: expect.stringContaining('use the runtime role') });
});

test('the API waits for a database that is not up yet, and logs that it waits', async () => {
  await eventually(() => waiting.lines.find(({ msg }) => msg === 'waiting for the database'));
  expect(waiting.child.exitCode).toBeNull();
});

test('the API serves requests without Temporal, but reports that it is not ready', async () => {
  const client = await listening(serving);
  expect((await client.get('/healthz/')).status).toBe(200);
  expect(await client.get('/readyz/')).toMatchObject({
    status: 503,
    body: { checks: { database: 'ok', migrations: 'ok', temporal: 'failed' } },
  });
});

test('the API survives the loss of its database connections', async () => {
  const client = await listening(serving);
  const pool = createAuxiliaryPool();
  await pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()',
  );
  await pool.end();
  // The first request on a dead connection may fail; the next one gets a new connection.
  const seen = [];
  const nobody = { email: 'nobody@example.org', password: 'whatever it is' };
  for (let n = 0; n < 6; n += 1) seen.push((await client.post('/api/auth/login/', nobody)).status);
  expect(seen.at(-1)).toBe(401);
});

test('the API logs a request once, by its route pattern, without the values in its address', async () => {
  const client = await listening(serving);
  await client.get('/api/chapters/secret-name/members/?search=Ada', { 'X-Request-Id': 'trace-1' });
  const logged = await eventually(() => serving.lines.find(({ requestId }) => requestId === 'trace-1'));
  expect(logged).toMatchObject({ level: 'info', method: 'GET', status: 401, durationMs: expect.any(Number) });
  expect(logged.route).toMatch(/^\/api\/chapters\/:\w+\/members\/$/);
  expect(JSON.stringify(logged)).not.toMatch(/secret-name|Ada/);
});

test('the API shuts down in order on SIGTERM', async () => {
  await listening(serving);
  serving.child.kill('SIGTERM');
  expect((await serving.ended).code).toBe(0);
});
