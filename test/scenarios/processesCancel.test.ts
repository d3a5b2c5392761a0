import pg from 'pg';
import { processId } from '../../api/processes/id.js';
import { queueName, temporal } from '../../gateways/temporal/client.js';
import { describeExecution } from '../../gateways/temporal/processes/describe.js';
import { startMessage } from '../../gateways/temporal/startProcess.js';
import { dispatchWritten } from '../../models/database/outbox.js';
import { rows } from '../../models/database/rows.js';
import { inTenant } from '../../models/database/tenancy.js';
import { beginPayment } from '../../models/finances/remittances/beginPayment.js';
import { createRemittance } from '../../models/finances/remittances/createRemittance.js';
import { payRemittance } from '../../workflows/contracts/index.js';
import { startOptions } from '../../workflows/contracts/startOptions.js';
import type { Client } from '../support/api.js';
import { paidIntent, sendEvent } from '../support/events.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { aMember, anInvoice, aWorld, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let processor: string;
let admin: Client;
let officer: Client;

beforeEach(async () => {
  world = await aWorld({ members: 1 });
  processor = await aProcessor(world);
  [admin, officer] = [platform.client(world.admin), platform.client(world.officer)];
});

const cancel = (id: string) => admin.post(`/api/processes/${id}/cancel/`);
const read = async (id: string) => (await admin.get(`/api/processes/${id}/`)).body;
const remittanceOf = async (id: string) => (await officer.get(`/api/billing/remittances/${id}/`)).body;
const pay = (id: string) => officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' });

async function aRemittance(): Promise<string> {
  const { chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const allocations = [{ invoice, amount_cents: 10_000 }];
  return (await officer.post('/api/billing/remittances/', { chapter: chapterId, allocations })).body.id;
}

const processOf = async (remittance: string): Promise<string> => {
  const { attempts } = await eventually(
    () => remittanceOf(remittance),
    (row) => row.attempts.length > 0,
  );
  return processId(attempts[0].workflow_id);
};

const OPENING = 'create';

describe('payments', () => {
  test('a payment whose charge is not open yet is cancelled, and its remittance can be paid again', async () => {
    const remittance = await aRemittance();
    await platform.fault({ kind: 'hold', operation: OPENING, remittance_id: remittance });
    const paying = pay(remittance);
    await platform.held();
    const id = await processOf(remittance);
    expect(await read(id)).toMatchObject({ stage: 'opening', money_moved: 'no' });
    expect(await cancel(id)).toMatchObject({
      status: 200,
      body: { outcome: 'cancelled', process: { status: 'cancelled', money_moved: 'no' } },
    });
    expect(await paying).toMatchObject({ status: 400, body: { detail: expect.stringContaining('cancelled') } });
    await platform.release();
    expect(await remittanceOf(remittance)).toMatchObject({
      status: 'draft',
      attempts: [{ status: 'failed', failure_code: 'cancelled' }],
    });
    expect(await platform.moved(remittance)).toEqual([]);
    for (const action of ['cancel', 'retry'])
      expect(await admin.post(`/api/processes/${id}/${action}/`)).toMatchObject({
        status: 409,
        body: { code: 'process_finished' },
      });
    expect(await pay(remittance)).toMatchObject({ status: 200, body: { status: 'settled' } });
    await recordHistory((await read(id)).workflow_id, 'payRemittance-cancelled');
  });

  test('a payment that is cancelled while its charge opens is reported as cancelled and not as declined', async () => {
    const remittance = await aRemittance();
    await platform.fault({ kind: 'hold', operation: OPENING, remittance_id: remittance });
    const paying = pay(remittance);
    await platform.held();
    const id = await processOf(remittance);
    const { workflow_id } = await read(id);
    // Without a note, as when the charge's id is stored between the note and the end, which removes the note.
    await temporal().workflow.getHandle(workflow_id).cancel();
    await eventually(
      () => read(id),
      (story) => story.status === 'cancelled',
    );
    await platform.release();
    const { status, body } = await paying;
    expect([status, body.detail]).toEqual([400, 'An administrator cancelled this payment. Nothing was charged.']);
    expect((await remittanceOf(remittance)).attempts).toMatchObject([{ status: 'failed', failure_code: 'cancelled' }]);
    expect(await platform.moved(remittance)).toEqual([]);
  });

  test('a payment whose attempt row is missing fails with row_missing', async () => {
    const { organizationId, chapterId } = world;
    const remittance = await aRemittance();
    const input = { organizationId, remittanceId: remittance, attemptId: remittance, chapterId };
    const handle = await temporal().workflow.start('payRemittance', {
      ...startOptions(payRemittance, input, null),
      taskQueue: queueName('payments'),
    });
    await expect(handle.result()).rejects.toThrow();
    expect(await read(processId(handle.workflowId))).toMatchObject({
      status: 'failed',
      last_failure: { code: 'row_missing' },
    });
  });

  test('a payment that may have taken money cannot be cancelled', async () => {
    const remittance = await aRemittance();
    await platform.fault({ kind: 'hold', remittance_id: remittance });
    const paying = pay(remittance);
    await platform.held();
    const id = await processOf(remittance);
    expect(await read(id)).toMatchObject({ stage: 'charging', money_moved: 'unknown' });
    const refused = await cancel(id);
    expect(refused).toMatchObject({ status: 409, body: { code: 'money_may_have_moved' } });
    expect(refused.body.detail).toContain('money may already have moved');
    await platform.release();
    expect(await paying).toMatchObject({ status: 200, body: { status: 'settled' } });
    expect(await read(id)).toMatchObject({ status: 'completed', money_moved: 'yes' });
    const audited = await asOwner("SELECT 1 FROM audit_log WHERE organization_id = $1 AND action LIKE 'process.%'", [
      world.organizationId,
    ]);
    expect(audited).toEqual([]);
  });

  test('a payment that Temporal itself cancels while it charges continues to its outcome', async () => {
    const remittance = await aRemittance();
    await platform.fault({ kind: 'hold', remittance_id: remittance });
    const paying = pay(remittance);
    await platform.held();
    const { workflow_id } = await read(await processOf(remittance));
    await temporal().workflow.getHandle(workflow_id).cancel();
    await platform.release();
    expect(await paying).toMatchObject({ status: 200, body: { status: 'settled' } });
    expect(await platform.moved(remittance)).toHaveLength(1);
  });

  test('a payment that is cancelled at the moment its charge opens is either cancelled or paid, never both', async () => {
    const LAST = 7;
    const ends: string[] = [];
    for (let round = 0; round <= LAST; round += 1) {
      const remittance = await aRemittance();
      await platform.fault({ kind: 'hold', operation: OPENING, remittance_id: remittance });
      const paying = pay(remittance);
      await platform.held();
      const id = await processOf(remittance);
      // The first is cancelled before its charge opens, the last after it was paid; in between it is a race.
      if (round === LAST) {
        await platform.release();
        await paying;
      }
      const cancelling = cancel(id);
      await (round === 0 ? cancelling : new Promise((resolve) => setTimeout(resolve, round * 12)));
      if (round < LAST) await platform.release();
      const { status, body } = await cancelling;
      const { status: end } = await eventually(
        () => read(id),
        (story) => story.status !== 'running',
      );
      const [attempt] = (await remittanceOf(remittance)).attempts;
      const moved = (await platform.moved(remittance)).length;
      expect({ round, end, attempt: attempt.status, code: attempt.failure_code, moved }).toEqual(
        end === 'cancelled'
          ? { round, end, attempt: 'failed', code: 'cancelled', moved: 0 }
          : { round, end: 'completed', attempt: 'succeeded', code: null, moved: 1 },
      );
      // The cancellation is requested, and its end not yet seen: this says neither.
      const reported = body.outcome === 'cancelling' ? null : [status, body.outcome ?? body.code];
      const known =
        end === 'cancelled'
          ? [[200, 'cancelled']]
          : ['money_may_have_moved', 'process_finished'].map((code) => [409, code]);
      if (reported) expect(known).toContainEqual(reported);
      ends.push(end);
      await paying;
    }
    expect([ends[0], ends[LAST]]).toEqual(['cancelled', 'completed']);
  });

  test('a payment that was not dispatched yet is cancelled, and releases its invoices', async () => {
    const { organizationId, chapterId, member } = world;
    const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
    let written: string[] = [];
    const { remittance, workflowId } = await inTenant(
      organizationId,
      async () => {
        const created = await createRemittance(chapterId, [{ invoice, amount_cents: 10_000 }], world.officer.userId);
        const { workflowId: started } = await beginPayment(created, 'pm_card_visa', world.officer.userId);
        await rows("UPDATE outbox SET not_before = now() + interval '1 day' WHERE workflow_id = $1", [started]);
        return { remittance: created, workflowId: started };
      },
      {
        // Like a request that dies after its commit.
        origin: { userId: world.officer.userId, requestId: 'a-request-that-died', ipAddress: null },
        afterCommit: (ids) => (written = ids),
      },
    );
    const id = processId(workflowId);
    expect(await read(id)).toMatchObject({ status: 'waiting', money_moved: 'no', chapter: chapterId });
    expect(await cancel(id)).toMatchObject({ body: { outcome: 'cancelled', process: { status: 'cancelled' } } });
    expect(await remittanceOf(remittance)).toMatchObject({
      status: 'draft',
      attempts: [{ status: 'failed', failure_code: 'cancelled' }],
    });
    // A dispatcher that had read the intent before starts a process that finds nothing to do.
    await asOwner(
      'UPDATE outbox SET dispatched_at = NULL, cancelled_at = NULL, not_before = now() WHERE id = ANY($1)',
      [written],
    );
    await dispatchWritten(written, startMessage);
    await eventually(
      () => read(id),
      ({ status }) => status === 'completed',
    );
    expect(await platform.moved(remittance)).toEqual([]);
    expect(await pay(remittance)).toMatchObject({ status: 200 });
  });
});

test('an event of the provider is never cancelled', async () => {
  const ours = { remittance_id: await aRemittance() };
  await sendEvent(platform, 'payment_intent.succeeded', { to: processor, object: paidIntent(10_000, ours) });
  const { results } = await eventually(
    async () => (await admin.get('/api/processes/?kind=processor_event')).body,
    ({ count }) => count > 0,
  );
  const [event] = await asOwner<{ id: string; organization_id: string }>(
    `UPDATE outbox SET dispatched_at = NULL, not_before = now() + interval '1 day', workflow_id = 'processor-event/none'
      WHERE workflow_id = $1 RETURNING id`,
    [results[0].workflow_id],
  );
  expect(await cancel(processId('processor-event/none'))).toMatchObject({
    status: 409,
    body: { code: 'process_not_cancellable', detail: expect.stringContaining('has already happened') },
  });
  await asOwner('DELETE FROM outbox WHERE id = $1', [event?.id]);
});

describe('dues runs', () => {
  const due = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const runs = () => `/api/hq/dues/${world.organizationId}/runs/`;
  const invoices = () =>
    asOwner('SELECT chapter_id FROM chapter_invoices WHERE dues_run_id IS NOT NULL AND organization_id = $1', [
      world.organizationId,
    ]);

  async function aRun() {
    const rate = 'INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, $3, $4)';
    await asOwner(rate, [world.organizationId, world.termId, 'undergrad', 12_500]);
    for (let n = 0; n < 25; n += 1) {
      const [chapter] = await asOwner<{ id: string }>(
        'INSERT INTO chapters (organization_id, name) VALUES ($1, $2) RETURNING id',
        [world.organizationId, `Chapter ${n}`],
      );
      await aMember(world.organizationId, chapter?.id as string);
    }
    const request = { term: world.termId, due_date: due };
    const { preview_hash } = (await admin.post(runs(), { ...request, dry_run: true })).body;
    return () => admin.post(runs(), { ...request, preview_hash });
  }

  test('a cancelled dues run keeps the invoices that it issued, and another run issues the rest', async () => {
    const start = await aRun();
    // The second batch of chapters waits for the end of this transaction.
    const [member] = await asOwner<{ id: string }>(
      "SELECT id FROM memberships WHERE organization_id = $1 AND status = 'undergrad' ORDER BY chapter_id OFFSET 17 LIMIT 1",
      [world.organizationId],
    );
    const blocking = await blockInvoice(member?.id as string);
    const run = (await start()).body;
    const id = processId(run.workflow_id);
    await eventually(invoices, (list) => list.length > 0);
    const story = await read(id);
    expect(story).toMatchObject({ stage: 'issuing', money_moved: 'no', status: 'running' });
    const cancelling = cancel(id);
    await eventually(
      () => describeExecution(run.workflow_id),
      (now) => now?.cancelRequested === true,
    );
    await blocking.release();
    const { body } = await cancelling;
    expect(body).toMatchObject({ outcome: 'cancelled', process: { status: 'cancelled', stage: 'cancelled' } });
    const issued = (await invoices()).length;
    expect(issued).toBeGreaterThan(0);
    expect(issued).toBeLessThan(run.invoices_planned);
    expect((await admin.get(`${runs()}${run.id}/`)).body).toMatchObject({
      status: 'cancelled',
      invoices_issued: issued,
      completed_at: null,
    });
    await recordHistory(run.workflow_id, 'issueDues-cancelled');

    const again = { term: world.termId, due_date: due };
    const { preview_hash } = (await admin.post(runs(), { ...again, dry_run: true })).body;
    const second = (await admin.post(runs(), { ...again, preview_hash })).body;
    await eventually(
      async () => (await admin.get(`${runs()}${second.id}/`)).body,
      ({ status }) => status === 'completed',
    );
    expect((await invoices()).length).toBe(run.invoices_planned);
  });

  test('a dues run that was not dispatched yet is cancelled together with its row', async () => {
    const start = await aRun();
    const run = (await start()).body;
    await eventually(
      async () => (await admin.get(`${runs()}${run.id}/`)).body,
      ({ status }) => status === 'completed',
    );
    const [made] = await asOwner<{ id: string }>(
      `INSERT INTO dues_runs (organization_id, term_id, due_date, preview_hash) VALUES ($1, $2, $3, repeat('0', 64)) RETURNING id`,
      [world.organizationId, world.termId, due],
    );
    const duesRunId = made?.id as string;
    await asOwner(
      `INSERT INTO outbox (organization_id, process, workflow_id, input, not_before)
       VALUES ($1, 'issueDues', $2, $3, now() + interval '1 day')`,
      [world.organizationId, `dues-run/${duesRunId}`, { organizationId: world.organizationId, duesRunId }],
    );
    expect(await cancel(processId(`dues-run/${duesRunId}`))).toMatchObject({ body: { outcome: 'cancelled' } });
    expect((await admin.get(`${runs()}${duesRunId}/`)).body).toMatchObject({ status: 'cancelled' });
  });
});

/** Inserts the same member's invoice in another transaction: the run that issues it waits for the end of that transaction. */
async function blockInvoice(membershipId: string): Promise<{ release(): Promise<void> }> {
  const connection = new pg.Client({ connectionString: process.env['DATABASE_OWNER_URL'] });
  connection.on('error', () => undefined);
  await connection.connect();
  await connection.query('BEGIN');
  await connection.query(
    `INSERT INTO chapter_invoices (organization_id, chapter_id, term_id, payer_type, membership_id, is_recurring,
                                   description, issue_date, due_date)
     SELECT organization_id, chapter_id, $2, 'member', id, true, 'Dues', current_date, current_date + 30
       FROM memberships WHERE id = $1`,
    [membershipId, world.termId],
  );
  return {
    async release() {
      await connection.query('ROLLBACK');
      await connection.end();
    },
  };
}
