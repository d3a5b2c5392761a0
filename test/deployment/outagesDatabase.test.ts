/** The database stops, hangs, fills up or refuses: what the API answers in the meantime, and that it recovers without help. */
import type { Client } from '../support/api.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, eventually } from '../support/platform.js';
import { type OwnStack, startOwnStack } from '../support/stack/ownStack.js';
import { aDraft, answered, pay, payAndSettle, outcomeOf, statusOf } from '../support/stack/stories.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let stack: OwnStack;
let world: World;
let officer: Client;
let apiPid: number;

beforeAll(async () => {
  // Only a notification triggers a dispatch soon: a relay that no longer listens is noticed.
  stack = await startOwnStack({ RELAY_SWEEP_SECONDS: '3600' });
  world = await aWorld({ members: 2 });
  await aProcessor(world);
  officer = stack.client(world.officer);
  apiPid = stack.pid('api');
  await payAndSettle(officer, await aDraft(world, officer));
});

afterEach(async () => {
  expect([stack.isRunning('api'), stack.pid('api')]).toEqual([true, apiPid]);
  await eventually(readiness, (checks) => checks.database === 'ok', 30);
  await expectSoundLedger();
});
afterAll(() => stack.close());

const UNAVAILABLE = { status: 503, code: 'unavailable', again: '5' };
const invoices = () => officer.get(`/api/chapters/${world.chapterId}/invoices/`);
const nobody = { email: 'nobody@example.org', password: 'whatever it is' };
const logIn = () => stack.client({}).post('/api/auth/login/', nobody);
const readiness = async () => (await stack.client({}).get('/readyz/')).body.checks as Record<string, string>;
const atOnce = <T>(times: number, call: () => Promise<T>) => Promise.all(Array.from({ length: times }, call));
const inDatabase = () =>
  asOwner('SELECT 1')
    .then(() => true)
    .catch(() => false);

/** Repeats the request until the answer is no longer one of an outage. */
const untilServed = () => eventually(invoices, ({ status }) => status === 200, 30);

async function expectAliveWithoutDatabase(): Promise<void> {
  const alive = await answered(() => atOnce(2, () => stack.client({}).get('/healthz/')));
  expect(alive.map(({ status }) => status)).toEqual([200, 200]);
  const ready = await answered(() => stack.client({}).get('/readyz/'));
  expect(ready).toMatchObject({ status: 503, body: { checks: { database: 'failed', temporal: 'ok' } } });
}

test('a stopped database is answered with 503 and Retry-After at once, and used again once it is started', async () => {
  expect((await atOnce(12, invoices)).every(({ status }) => status === 200)).toBe(true);
  await stack.stop('postgres');
  const before = stack.line.asked();
  const answers = await answered(() => atOnce(40, invoices));
  // At once: no request waited for a connection until its timeout, which is answered as busy, and none was repeated.
  expect(answers.map(outcomeOf)).toEqual(answers.map(() => UNAVAILABLE));
  expect(stack.line.asked() - before).toBeLessThan(2 * answers.length);
  expect(outcomeOf(await logIn())).toEqual(UNAVAILABLE);
  await expectAliveWithoutDatabase();
  await stack.start('postgres');
  await untilServed();
  expect((await logIn()).status).toBe(401);
});

test('a hanging database is answered with 503, and its connections are not used again', async () => {
  await atOnce(12, invoices);
  stack.line.swallow();
  const answers = await answered(() => atOnce(12, invoices));
  // Requests that never got a connection were answered before those whose connection hangs.
  const codes = answers.map(({ status, body }) => [status, body.code].join(' '));
  expect(new Set(codes)).toEqual(new Set(['503 unavailable', '503 busy']));
  expect(answers.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
  await expectAliveWithoutDatabase();
  stack.line.pass();
  await untilServed();
  // No hung connection is handed out: all requests are served, not only the first.
  expect((await atOnce(12, invoices)).map(({ status }) => status)).toEqual(Array(12).fill(200));
});

test('a database process that is frozen is answered with 503, and continues its work once it runs again', async () => {
  await invoices();
  const backends = await stack.asSuperuser(
    "SELECT pid FROM pg_stat_activity WHERE application_name IN ('membership', 'membership-direct')",
  );
  for (const { pid } of backends) process.kill(pid as number, 'SIGSTOP');
  try {
    expect(outcomeOf(await answered(invoices))).toEqual(UNAVAILABLE);
  } finally {
    for (const { pid } of backends) process.kill(pid as number, 'SIGCONT');
  }
  await untilServed();
});

test('a transaction that is open when the database is killed is rolled back, and its request gets 503', async () => {
  const invoice = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  const admin = stack.client(world.admin);
  const voiding = () => admin.post(`/api/invoices/${invoice}/void/`, { reason: 'Left the chapter' });
  // Another transaction has locked the row, so the request waits inside its transaction.
  const holder = asOwner(
    `SELECT pg_sleep(60) FROM (SELECT 1 FROM chapter_invoices WHERE id = '${invoice}' FOR UPDATE) held`,
  );
  const held = holder.catch(() => undefined);
  await eventually(
    () => stack.asSuperuser("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"),
    (rows) => rows.length > 0,
  );
  const waiting = voiding();
  await eventually(
    () =>
      stack.asSuperuser(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'membership' AND wait_event_type = 'Lock'",
      ),
    (rows) => rows.length > 0,
  );
  stack.signal('postgres', 'SIGKILL');
  expect(outcomeOf(await waiting)).toEqual(UNAVAILABLE);
  await held;
  await stack.start('postgres');
  await eventually(inDatabase, (up) => up);
  expect(await asOwner('SELECT status FROM chapter_invoices WHERE id = $1', [invoice])).toEqual([{ status: 'open' }]);
  expect((await eventually(voiding, ({ status }) => status !== 503)).status).toBe(200);
});

test('a relay whose LISTEN connection was cut listens again and misses no row', async () => {
  await stack.stop('postgres');
  await stack.start('postgres');
  await eventually(
    () => stack.asSuperuser("SELECT 1 FROM pg_stat_activity WHERE query = 'LISTEN outbox'"),
    (rows) => rows.length > 0,
    30,
  );
  await untilServed();
  // Only the relay knows of this row.
  const outbox = () => asOwner('SELECT 1 FROM outbox WHERE dispatched_at IS NULL');
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input)
     VALUES ($1, 'markOverdue', 'overdue/by-notice', $2)`,
    [world.organizationId, JSON.stringify({ organizationId: world.organizationId, day: '2026-01-01' })],
  );
  await eventually(outbox, (waiting) => waiting.length === 0, 30);
});

test('a read-only database serves reads, and writes get 503', async () => {
  await stack.asSuperuser('ALTER SYSTEM SET default_transaction_read_only = on');
  await stack.asSuperuser('SELECT pg_reload_conf()');
  const voiding = await anyWrite(({ status }) => status !== 200);
  expect(outcomeOf(voiding)).toEqual(UNAVAILABLE);
  expect((await invoices()).status).toBe(200);
  await stack.asSuperuser('ALTER SYSTEM RESET default_transaction_read_only');
  await stack.asSuperuser('SELECT pg_reload_conf()');
  await anyWrite(({ status }) => status === 200);
});

/** Changes the chapter's name until the answer is the expected one. */
async function anyWrite(satisfied: (reply: { status: number }) => boolean) {
  const admin = stack.client(world.admin);
  let count = 0;
  return eventually(
    () => admin.patch(`/api/chapters/${world.chapterId}/`, { name: `Alpha ${(count += 1)}` }),
    satisfied,
  );
}

test('a database without a free connection is answered with 503', async () => {
  const role = "rolname = 'membership_runtime'";
  await stack.asSuperuser('ALTER ROLE membership_runtime CONNECTION LIMIT 0');
  await stack.asSuperuser(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usesysid = (SELECT oid FROM pg_roles WHERE ${role})`,
  );
  await eventually(invoices, ({ status }) => status === 503);
  const before = stack.line.asked();
  const answers = await answered(() => atOnce(12, invoices));
  expect(answers.map(outcomeOf)).toEqual(answers.map(() => UNAVAILABLE));
  expect(stack.line.asked() - before).toBeLessThan(3 * answers.length);
  await stack.asSuperuser('ALTER ROLE membership_runtime CONNECTION LIMIT -1');
  await untilServed();
});

/** Makes the server refuse writes to a table, as with a full disk. */
const fill = (table: string) =>
  stack.asSuperuser(`
    CREATE OR REPLACE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER disk_is_full BEFORE INSERT OR UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION disk_is_full()`);
const empty = (table: string) => stack.asSuperuser(`DROP TRIGGER disk_is_full ON ${table}`);

test('a full disk is answered with 503 on writes, which change nothing, and reads are served', async () => {
  const id = await aDraft(world, officer);
  await fill('payment_attempts');
  expect(outcomeOf(await pay(officer, id))).toEqual(UNAVAILABLE);
  expect(await statusOf(officer, id)).toBe('draft');
  await empty('payment_attempts');
  await payAndSettle(officer, id);
});

test('a full throttle store refuses log-ins, counts other requests in memory, logs this once, and is used again when it has room', async () => {
  const saidSo = (text: string) =>
    stack.logOf('api').filter(({ msg }) => typeof msg === 'string' && msg.startsWith(`the throttle store is ${text}`));
  // An earlier outage has been logged and is over: an outage is logged only once.
  expect((await logIn()).status).toBe(401);
  await eventually(
    async () => saidSo('down').length - saidSo('back').length,
    (down) => down === 0,
    30,
  );
  const before = { down: saidSo('down').length, back: saidSo('back').length };
  await fill('throttles');
  const answers = await atOnce(5, logIn);
  expect(answers.map(outcomeOf)).toEqual(answers.map(() => UNAVAILABLE));

  const remaining = ({ headers }: { headers: Headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  const first = await invoices();
  for (let n = 0; n < 10; n += 1) await invoices();
  const last = await invoices();
  expect([first.status, last.status]).toEqual([200, 200]);
  expect(remaining(first) - remaining(last)).toBe(11);
  const saysSo = async () => saidSo('down').length - before.down;
  await eventually(saysSo, (count) => count >= 2, 30);
  // The batches are tried several times.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  await invoices();
  expect(
    new Set(
      saidSo('down')
        .slice(before.down)
        .map(({ code }) => code),
    ),
  ).toEqual(new Set(['auth', 'default_authenticated']));
  expect(saidSo('down')).toHaveLength(before.down + 2);

  await empty('throttles');
  expect((await logIn()).status).toBe(401);
  await eventually(
    async () => saidSo('back').length - before.back,
    (count) => count === 2,
  );
  const [stored] = await asOwner<{ hits: number }>(
    "SELECT hits FROM throttles WHERE scope = 'default_authenticated' AND key = $1",
    [`user:${world.officer.userId}`],
  );
  expect(stored?.hits).toBeGreaterThanOrEqual(12);
});
