/** Metrics while payments succeed and fail: API and worker run as processes of their own, each with its metrics. */
import { temporal } from '../../gateways/temporal/client.js';
import { Client } from '../support/api.js';
import { aProcessor, eventually, type Platform, startPlatform } from '../support/platform.js';
import { type OwnProcess, startOwn } from '../support/processes.js';
import { type Scrape, scrape } from '../support/scrape.js';
import { aLineTo, type Line } from '../support/stack/line.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const PAYMENT = { kind: 'remittance_payment' };

let platform: Platform;
let world: World;
let toTemporal: Line;
let toPostgres: Line;
let api: OwnProcess;
let worker: OwnProcess;
let officer: Client;

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  world = await aWorld({ members: 3 });
  await aProcessor(world);
  const database = new URL(process.env['DATABASE_URL'] as string);
  toPostgres = await aLineTo(Number(database.port));
  database.port = String(toPostgres.port);
  toTemporal = await aLineTo(Number((process.env['TEMPORAL_ADDRESS'] as string).split(':')[1]));
  const env = {
    METRICS_PORT: '0',
    STRIPE_API_URL: platform.gateway.url,
    RELAY_SWEEP_SECONDS: '1',
    STRIPE_TIMEOUT_SECONDS: '2',
  };
  [api, worker] = await Promise.all([
    startOwn('api', { ...env, TEMPORAL_ADDRESS: `127.0.0.1:${toTemporal.port}`, PAY_WAIT_SECONDS: '4' }),
    startOwn('worker', { ...env, DATABASE_URL: database.href }),
  ]);
  officer = new Client(`http://127.0.0.1:${api.port}`, { token: world.officer.token });
});

afterAll(async () => {
  for (const own of [api, worker]) own.child.kill('SIGKILL');
  await Promise.all([toTemporal.close(), toPostgres.close()]);
  await platform.close();
});

async function aDraft(): Promise<string> {
  const invoice = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  const allocations = [{ invoice, amount_cents: 10_000 }];
  return (await officer.post('/api/billing/remittances/', { chapter: world.chapterId, allocations })).body.id;
}

const pay = (id: string, payment_method = 'pm_card_visa') =>
  officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method });

const shows = (of: OwnProcess, what: (metrics: Scrape) => boolean): Promise<Scrape> =>
  eventually(() => scrape(of.metricsPort), what, 30);

test('processes are counted by kind and outcome', async () => {
  expect((await pay(await aDraft())).status).toBe(200);
  expect((await pay(await aDraft(), 'pm_card_chargeDeclined')).status).toBe(400);
  const ended = 'membership_processes_ended_total';
  const { value } = await shows(worker, (now) => (now.value(ended, PAYMENT) ?? 0) >= 2);
  expect(value(ended, { ...PAYMENT, outcome: 'completed', result: 'settled' })).toBe(1);
  expect(value(ended, { ...PAYMENT, outcome: 'completed', result: 'declined' })).toBe(1);
  const started = await scrape(api.metricsPort);
  expect(started.value('membership_process_starts_total', { ...PAYMENT, outcome: 'started' })).toBe(2);
  expect(started.value('membership_outbox_dispatches_total', { outcome: 'dispatched' })).toBe(2);
});

test('steps and gateway calls are counted by outcome and timed', async () => {
  const { value } = await scrape(worker.metricsPort);
  const calls = 'membership_gateway_call_duration_seconds_count';
  expect(value(calls, { operation: 'openCharge', outcome: 'ok' })).toBe(2);
  expect(value(calls, { operation: 'confirmCharge', outcome: 'ok' })).toBe(1);
  expect(value(calls, { operation: 'confirmCharge', outcome: 'declined' })).toBe(1);
  expect(value('membership_step_duration_seconds_count', { step: 'settleCharge', outcome: 'ok' })).toBe(1);
  expect(value('membership_step_wait_seconds_count', { queue: 'payments' })).toBeGreaterThanOrEqual(5);
});

test('a call without an answer is counted as unknown, and its step as failed and later as completed', async () => {
  const id = await aDraft();
  await platform.fault({ kind: 'hold_after_capture', remittance_id: id });
  await pay(id);
  const step = { step: 'confirmCharge' };
  const failed = (now: Scrape) => now.value('membership_step_duration_seconds_count', { ...step, outcome: 'failed' });
  const { value } = await shows(worker, (now) => (failed(now) ?? 0) >= 1);
  expect(
    value('membership_gateway_call_duration_seconds_count', { operation: 'confirmCharge', outcome: 'unknown' }),
  ).toBe(1);
  await platform.clearFaults();
  await shows(worker, (now) => now.value('membership_processes_ended_total', { ...PAYMENT, result: 'settled' }) === 2);
});

test('a process that an operator cancels is counted as cancelled', async () => {
  worker.child.kill('SIGSTOP');
  const id = await aDraft();
  const paying = pay(id);
  const workflowId = await eventually(
    async () => (await officer.get(`/api/billing/remittances/${id}/`)).body.attempts[0]?.workflow_id as string,
    (found) => found !== undefined,
  );
  await eventually(
    () =>
      temporal()
        .workflow.getHandle(workflowId)
        .cancel()
        .then(
          () => true,
          () => false,
        ),
    (cancelled) => cancelled,
  );
  worker.child.kill('SIGCONT');
  await shows(
    worker,
    (now) => now.value('membership_processes_ended_total', { ...PAYMENT, outcome: 'cancelled' }) === 1,
  );
  await paying;
});

test('an intent that cannot be dispatched is counted as a failure and in the backlog until Temporal is back', async () => {
  const before = (await scrape(api.metricsPort)).value('membership_process_starts_total', { outcome: 'failed' }) ?? 0;
  // The relay must not dispatch it before the failure was counted.
  worker.child.kill('SIGSTOP');
  toTemporal.swallow();
  const paying = pay(await aDraft());
  const failing = await shows(
    api,
    (now) => (now.value('membership_process_starts_total', { outcome: 'failed' }) ?? 0) > before,
  );
  expect(failing.value('membership_outbox_dispatches_total', { outcome: 'failed' })).toBeGreaterThan(0);
  expect(failing.value('membership_outbox_waiting')).toBeGreaterThanOrEqual(1);
  expect(failing.value('membership_outbox_oldest_seconds')).toBeGreaterThan(1);
  toTemporal.pass();
  worker.child.kill('SIGCONT');
  // The relay counts a row once its dispatch is committed.
  const recovered = await shows(
    worker,
    (now) => now.value('membership_outbox_waiting') === 0 && (now.value('membership_relay_rows_total') ?? 0) >= 1,
  );
  expect(recovered.value('membership_outbox_oldest_seconds')).toBe(0);
  await paying;
});

test('failed sweeps are counted, and a scrape is answered without the database', async () => {
  const sweeps = 'membership_relay_sweeps_total';
  const last = 'membership_relay_last_success_timestamp_seconds';
  const began = Date.now() / 1000;
  const before = await shows(worker, (now) => (now.value(last) ?? 0) > began);
  const seen = before.value(sweeps, { outcome: 'failed' }) ?? 0;
  toPostgres.swallow();
  const down = await shows(worker, (now) => (now.value(sweeps, { outcome: 'failed' }) ?? 0) > seen);
  expect(down.value('membership_database_up')).toBe(0);
  expect(down.value('membership_outbox_waiting')).toBeUndefined();
  toPostgres.pass();
  await shows(
    worker,
    (now) => now.value('membership_database_up') === 1 && (now.value(last) ?? 0) > (before.value(last) ?? 0) + 1,
  );
});
