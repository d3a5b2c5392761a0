/** The recovery does the work that rows wait for when its process is gone. */
import { randomUUID } from 'node:crypto';
import { processId } from '../../api/processes/id.js';
import { config } from '../../config.js';
import { queueName, temporal } from '../../gateways/temporal/client.js';
import { describeExecution } from '../../gateways/temporal/processes/describe.js';
import { runningAmong } from '../../gateways/temporal/processes/list.js';
import { inTenant } from '../../models/database/tenancy.js';
import { receiveEvent } from '../../models/finances/webhooks/receiveEvent.js';
import { applyProcessorEvent } from '../../workflows/contracts/index.js';
import { checkProcessIncidents } from '../../workflows/contracts/checkProcessIncidents.js';
import type { ScheduledProcess } from '../../workflows/contracts/process.js';
import { recoverProcesses } from '../../workflows/contracts/recoverProcesses.js';
import type { Client } from '../support/api.js';
import { recordHistory } from '../support/histories.js';
import { checkIncidents } from '../support/incidents.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let processor: string;
let admin: Client;
let officer: Client;

beforeEach(async () => {
  const fresh = await aWorld({ members: 1 });
  processor = await aProcessor(fresh);
  enter(fresh);
});

function enter(entered: World): void {
  world = entered;
  [admin, officer] = [platform.client(world.admin), platform.client(world.officer)];
}

/** Runs a scheduled process as its Schedule does. @returns its id */
async function runScheduled({ name, taskQueue }: ScheduledProcess): Promise<string> {
  const workflowId = `${name}-${randomUUID()}`;
  await temporal().workflow.execute(name, { workflowId, taskQueue: queueName(taskQueue), args: [] });
  return workflowId;
}
const recover = () => runScheduled(recoverProcesses);

const read = async (id: string) => (await admin.get(`/api/processes/${id}/`)).body;
const stuck = async () => {
  await checkIncidents();
  return (await admin.get('/api/processes/?stuck=true')).body;
};
const remittanceOf = async (id: string) => (await officer.get(`/api/billing/remittances/${id}/`)).body;
const pay = (id: string) => officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' });

interface Paying {
  remittance: string;
  workflowId: string;
  id: string;
  answer: Promise<{ status: number; body: { code?: string } }>;
}

/** A payment, begun some minutes ago, whose gateway does not answer. @param until how far the gateway has come by then */
async function aPayment(until: 'nothing' | 'opened' = 'opened'): Promise<Paying> {
  const { chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const allocations = [{ invoice, amount_cents: 10_000 }];
  const remittance = (await officer.post('/api/billing/remittances/', { chapter: chapterId, allocations })).body.id;
  const operation = until === 'nothing' ? { operation: 'create' } : {};
  await platform.fault({ kind: 'drop_before_capture', times: 1_000, remittance_id: remittance, ...operation });
  const answer = pay(remittance);
  await eventually(
    () => asOwner('SELECT intent_id FROM payment_attempts WHERE remittance_id = $1', [remittance]),
    ([row]) => row !== undefined && (until === 'nothing' || row['intent_id'] !== null),
  );
  const [attempt] = await asOwner<{ id: string }>(
    `UPDATE payment_attempts SET created_at = now() - interval '10 minutes' WHERE remittance_id = $1 RETURNING id`,
    [remittance],
  );
  const workflowId = `remittance-payment/${remittance}/${attempt?.id}`;
  // The row exists before its process does.
  await eventually(
    () => describeExecution(workflowId),
    (found) => found !== null,
  );
  return { remittance, workflowId, id: processId(workflowId), answer };
}

const end = (workflowId: string) => temporal().workflow.getHandle(workflowId).terminate('An operator was hasty.');

/** Deletes the process, as the server does after the retention period. */
async function forget(workflowId: string): Promise<void> {
  await end(workflowId);
  await temporal().workflowService.deleteWorkflowExecution({
    namespace: config.TEMPORAL_NAMESPACE,
    workflowExecution: { workflowId },
  });
  // The server usually takes twenty seconds.
  await eventually(
    () => describeExecution(workflowId),
    (found) => found === null,
    60,
  );
}

const settled = (remittance: string) =>
  eventually(
    () => remittanceOf(remittance),
    ({ status }) => status === 'settled',
  );

test('a terminated payment is stuck, and the recovery starts it again and charges it once', async () => {
  const { remittance, workflowId, id } = await aPayment();
  expect(await stuck()).toMatchObject({ count: 0 });
  await end(workflowId);
  // Temporal's lists show it a moment later.
  const found = await eventually(stuck, ({ count }) => count > 0);
  expect(found).toMatchObject({
    results: [{ id, status: 'terminated', stuck: true, stuck_reason: 'no_process' }],
    complete: true,
  });
  expect((await admin.get('/api/processes/?stuck=true&status=terminated')).body).toMatchObject({ results: [{ id }] });
  expect((await admin.get('/api/processes/?stuck=false&kind=remittance_payment')).body.results).toEqual([]);
  expect(await read(id)).toMatchObject({
    stuck: true,
    stuck_reason: 'no_process',
    waiting_for: { code: 'start' },
    actions: [{ action: 'retry', safe: true }, { action: 'cancel' }],
  });
  const listed = await eventually(
    async () => (await admin.get(`/api/processes/?status=terminated&subject=${remittance}`)).body,
    ({ count }) => count === 1,
  );
  expect(listed).toMatchObject({ results: [{ stuck_reason: 'no_process' }] });

  await platform.clearFaults();
  await recover();
  await settled(remittance);
  expect(await platform.moved(remittance)).toHaveLength(1);
  // A try that ran when its process ended may have taken the money: then its event has settled the remittance.
  await eventually(
    () => read(id),
    (story) => !story.stuck,
  );
  await recordHistory(await runScheduled(checkProcessIncidents), 'checkProcessIncidents-compared');
  expect((await admin.get('/api/processes/?stuck=true')).body).toMatchObject({ count: 0, results: [] });
});

describe('payments that Temporal has deleted', () => {
  let theirs: World;
  let payments: Paying[];

  beforeAll(async () => {
    theirs = await aWorld({ members: 1 });
    await aProcessor(theirs);
    enter(theirs);
    payments = [await aPayment(), await aPayment(), await aPayment('nothing')];
    await Promise.all(payments.map(({ workflowId }) => forget(workflowId)));
    // An attempt that was running when its process was deleted ends before the gateway answers again.
    await Promise.all(payments.map(({ answer }) => answer));
    await platform.clearFaults();
  });
  beforeEach(() => enter(theirs));

  test('a payment that Temporal has deleted is listed as stuck, and a retry completes it', async () => {
    const { remittance, id } = payments[0] as Paying;
    expect(await remittanceOf(remittance)).toMatchObject({ status: 'processing' });
    const shown = { id, status: 'waiting', stuck: true, stuck_reason: 'no_process', subject: { id: remittance } };
    expect(await stuck()).toMatchObject({ count: 3, complete: true });
    for (const query of [`subject=${remittance}`, `status=waiting&kind=remittance_payment&subject=${remittance}`])
      expect((await admin.get(`/api/processes/?${query}`)).body).toMatchObject({ count: 1, results: [shown] });
    for (const query of [
      'stuck=false&kind=remittance_payment',
      'status=terminated',
      'kind=dues_run',
      `subject=${randomUUID()}`,
    ])
      expect((await admin.get(`/api/processes/?${query}`)).body.results).toEqual([]);
    expect(await read(id)).toMatchObject({ ...shown, money_moved: 'unknown', waiting_for: { code: 'start' } });

    const stranger = platform.client((await aWorld()).admin);
    expect((await stranger.get('/api/processes/?stuck=true')).body.results).toEqual([]);
    for (const call of [stranger.get(`/api/processes/${id}/`), stranger.post(`/api/processes/${id}/retry/`)])
      expect(await call).toMatchObject({ status: 404 });

    expect(await admin.post(`/api/processes/${id}/retry/`)).toMatchObject({
      status: 200,
      body: { outcome: expect.stringMatching(/^(completed|progressed)$/) },
    });
    await settled(remittance);
    expect(await platform.moved(remittance)).toHaveLength(1);
    expect(await stuck()).toMatchObject({ count: 2 });
  });

  test('a payment that Temporal has deleted before its charge was opened can be cancelled, and leaves a draft', async () => {
    const { remittance, id } = payments[2] as Paying;
    expect(await admin.post(`/api/processes/${id}/cancel/`)).toMatchObject({
      status: 200,
      body: { outcome: 'cancelled', process: { status: 'cancelled', money_moved: 'no', stuck: false } },
    });
    expect(await remittanceOf(remittance)).toMatchObject({ status: 'draft' });
    expect(await read(id)).toMatchObject({ status: 'cancelled' });
    expect(await pay(remittance)).toMatchObject({ status: 200, body: { status: 'settled' } });
    expect(await platform.moved(remittance)).toHaveLength(1);
  });

  test('the recovery completes a payment that Temporal has deleted, and does not start a cancelled one again', async () => {
    const { remittance } = payments[1] as Paying;
    const recovery = await recover();
    await settled(remittance);
    expect(await pay(remittance)).toMatchObject({ body: { code: 'remittance_already_settled' } });
    expect(await platform.moved(remittance)).toHaveLength(1);
    expect(await read((payments[2] as Paying).id)).toMatchObject({ status: 'cancelled' });
    expect(await stuck()).toMatchObject({ count: 0 });
    await recordHistory(recovery, 'recoverProcesses-starts-again');
  });
});

test('the list of stuck processes stays complete with hundreds of open pages and includes a lost payment', async () => {
  const { organizationId, chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  // Older than the payment, and each with a process, except the last five.
  const pages = await asOwner<{ id: string }>(
    `INSERT INTO payment_attempts (organization_id, invoice_id, processor_id, amount_cents, currency, created_at, closing_since, closing_reason)
     SELECT $1, $2, $3, 10000, 'usd', now() - interval '20 minutes', now(), 'replaced' FROM generate_series(1, 305) RETURNING id`,
    [organizationId, invoice, processor],
  );
  const idOf = (page: { id: string }) => `hosted-page/${page.id}`;
  const open = pages.slice(0, -5).map(idOf);
  // No worker serves this queue: these processes stay as they are.
  const start = (workflowId: string) =>
    temporal().workflow.start('hostedPage', { workflowId, taskQueue: 'nobodys', args: [] });
  for (let at = 0; at < open.length; at += 20) await Promise.all(open.slice(at, at + 20).map(start));
  await eventually(
    async () => (await runningAmong(pages.map(idOf))).size,
    (running) => running === open.length,
  );
  expect(await runningAmong(pages.map(idOf))).toEqual(new Set(open));

  const { id, workflowId } = await aPayment();
  await end(workflowId);
  const lost = await eventually(stuck, ({ results }) => results.some((row: { id: string }) => row.id === id));
  expect(lost.results.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
    ...Array.from({ length: 5 }, () => 'hosted_page'),
    'remittance_payment',
  ]);
  expect(lost).toMatchObject({ count: 6, complete: true });
  await asOwner('DELETE FROM payment_attempts WHERE id = ANY($1)', [pages.map((page) => page.id)]);
  await platform.clearFaults();
  await recover();
  await eventually(stuck, ({ count }) => count === 0);
});

test('the recovery leaves a running process alone', async () => {
  const { remittance, workflowId, answer } = await aPayment();
  const runOf = async () => (await temporal().workflow.getHandle(workflowId).describe()).runId;
  const before = await runOf();
  await Promise.all([recover(), recover()]);
  expect(await runOf()).toBe(before);
  await platform.clearFaults();
  expect(await answer).toMatchObject({ status: 200 });
  expect(await platform.moved(remittance)).toHaveLength(1);
});

test('the recovery applies an event that was not applied', async () => {
  const { chapterId, member, organizationId } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const event = {
    eventId: `evt_${randomUUID()}`,
    type: 'payment_intent.succeeded',
    intentId: `pi_${randomUUID()}`,
    amountCents: 10_000,
    currency: 'usd',
    reference: { invoice_id: invoice },
    failureCode: null,
  };
  await inTenant(organizationId, async () => {
    await receiveEvent({ id: processor, isDisabled: false }, event);
  });
  // It was dispatched once, and its process was deleted before it had an effect.
  const [waiting] = await asOwner<{ id: string }>(
    `WITH gone AS (DELETE FROM outbox WHERE process = 'applyProcessorEvent' AND organization_id = $1)
     UPDATE webhook_events SET created_at = now() - interval '1 hour', outcome = NULL, processed_at = NULL
      WHERE organization_id = $1 RETURNING id`,
    [organizationId],
  );
  const input = { organizationId, webhookEventId: waiting?.id ?? '' };
  await eventually(stuck, ({ count }) => count <= 1);
  await recover();
  await eventually(
    () => asOwner('SELECT outcome FROM webhook_events WHERE id = $1', [waiting?.id]),
    ([row]) => row?.['outcome'] === 'applied',
  );
  expect(await asOwner('SELECT status FROM chapter_invoices WHERE id = $1', [invoice])).toEqual([{ status: 'paid' }]);
  expect(await read(processId(applyProcessorEvent.workflowId(input)))).toMatchObject({ stuck: false });
});
