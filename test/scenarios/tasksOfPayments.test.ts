/** The number of Temporal tasks of a payment. A step without a task of its own is as safe and as visible as others. */
import { Client as Postgres } from 'pg';
import { temporal } from '../../gateways/temporal/client.js';
import { describeExecution } from '../../gateways/temporal/processes/describe.js';
import { payRemittance } from '../../workflows/contracts/index.js';
import type { Client } from '../support/api.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let officer: Client;

beforeAll(async () => {
  world = await aWorld({ members: 8 });
  await aProcessor(world);
  officer = platform.client(world.officer);
});

const CENTS = 10_000;

async function aDraft(shares: number): Promise<string> {
  const members = world.memberships.slice(0, shares);
  const invoices = await Promise.all(
    members.map((membershipId) => anInvoice(world, { chapterId: world.chapterId, membershipId, cents: CENTS })),
  );
  const created = await officer.post('/api/billing/remittances/', {
    chapter: world.chapterId,
    allocations: invoices.map((invoice) => ({ invoice, amount_cents: CENTS })),
  });
  return created.body.id;
}

const pay = (id: string) => officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' });

const settled = (id: string) =>
  eventually(
    async () => (await officer.get(`/api/billing/remittances/${id}/`)).body.status,
    (status) => status === 'settled',
    30,
  );

/** Locks a remittance. */
async function lock(remittanceId: string) {
  const rival = new Postgres({ connectionString: process.env['DATABASE_OWNER_URL'] });
  await rival.connect();
  await rival.query('BEGIN');
  await rival.query('SELECT FROM chapter_remittances WHERE id = $1 FOR UPDATE', [remittanceId]);
  return { release: () => rival.end() };
}

/** Counts the workflow tasks of a process, and lists its steps. */
async function costOf(workflowId: string) {
  const { events = [] } = await temporal().workflow.getHandle(workflowId).fetchHistory();
  const count = (kind: keyof NonNullable<typeof events>[number]) =>
    (events ?? []).filter((event) => event[kind]).length;
  return {
    decisions: count('workflowTaskScheduledEventAttributes'),
    steps: count('activityTaskScheduledEventAttributes'),
    events: events?.length,
  };
}

test('a payment takes three workflow tasks and two steps, however many invoices it pays', async () => {
  const costs = [];
  for (const shares of [2, 8]) {
    const { status, body } = await pay(await aDraft(shares));
    expect(status).toBe(200);
    costs.push(await costOf(body.attempts[0].workflow_id));
    await recordHistory(body.attempts[0].workflow_id, 'payRemittance-settled-at-once');
  }
  const cost = { decisions: 3, steps: 2, events: 22 };
  expect(costs).toEqual([cost, cost]);
});

const eventsAbout = (remittanceId: string) =>
  asOwner<{ id: string; outcome: string | null; processes: number }>(
    `SELECT e.id, e.outcome, (SELECT count(*)::int FROM outbox o WHERE o.input->>'webhookEventId' = e.id::text) AS processes
       FROM webhook_events e WHERE e.payload->'reference'->>'remittance_id' = $1`,
    [remittanceId],
  );

test("the success event of a remittance's charge is applied in the request that receives it", async () => {
  const id = await aDraft(1);
  await pay(id);
  expect(
    await eventually(
      () => eventsAbout(id),
      ({ length }) => length === 1,
    ),
  ).toMatchObject([{ outcome: 'applied', processes: 0 }]);
});

test('an event that cannot be applied in its request is applied by a process of one workflow task and no step', async () => {
  const id = await aDraft(1);
  await platform.fault({ kind: 'hold', remittance_id: id });
  const paying = pay(id);
  await platform.held();
  const locked = await lock(id);
  try {
    await platform.release();
    const [event] = await eventually(
      () => eventsAbout(id),
      ({ length }) => length === 1,
      30,
    );
    expect(event).toMatchObject({ outcome: null, processes: 1 });
    await locked.release();
    const workflowId = `processor-event/${event?.id}`;
    // The relay starts the process a moment after the row is written.
    await eventually(
      () => describeExecution(workflowId),
      (execution) => execution?.status === 'completed',
      30,
    );
    expect(await costOf(workflowId)).toEqual({ decisions: 1, steps: 0, events: 8 });
    await recordHistory(workflowId, 'applyProcessorEvent-applied-at-once');
  } finally {
    await locked.release();
  }
  await paying;
  await settled(id);
  expect(await platform.moved(id)).toHaveLength(1);
});

test('an event that a rule refuses at commit is stored, and applied by a process', async () => {
  const id = await aDraft(1);
  await asOwner(
    `CREATE FUNCTION break_late() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'broken' USING ERRCODE = '40001'; END $$;
     CREATE CONSTRAINT TRIGGER break_late AFTER INSERT ON payment_records DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION break_late();`,
  );
  const paying = pay(id);
  try {
    const found = await eventually(
      () => eventsAbout(id),
      ({ length }) => length === 1,
    );
    expect(found).toMatchObject([{ outcome: null, processes: 1 }]);
  } finally {
    await asOwner('DROP TRIGGER break_late ON payment_records; DROP FUNCTION break_late();');
  }
  await paying;
  await settled(id);
  await eventually(
    () => eventsAbout(id),
    ([event]) => event?.outcome === 'applied',
    30,
  );
});

test('members who cannot be credited at once are credited by a step that operators see', async () => {
  const id = await aDraft(2);
  await platform.fault({ kind: 'hold', remittance_id: id });
  const paying = pay(id);
  await platform.held();
  const [attempt] = await asOwner<{ id: string }>('SELECT id FROM payment_attempts WHERE remittance_id = $1', [id]);
  const { organizationId, chapterId } = world;
  const workflowId = payRemittance.workflowId({
    organizationId,
    remittanceId: id,
    attemptId: attempt?.id ?? '',
    chapterId,
  });
  const locked = await lock(id);
  try {
    await platform.release();
    await eventually(
      async () => (await describeExecution(workflowId))?.steps,
      (steps) => steps?.some(({ name }) => name === 'settleCharge') ?? false,
      30,
    );
  } finally {
    await locked.release();
  }
  await paying;
  await settled(id);
  expect(await platform.moved(id)).toHaveLength(1);
  expect(await asOwner('SELECT FROM payment_records WHERE remittance_id = $1', [id])).toHaveLength(2);
  await temporal().workflow.getHandle(workflowId).result();
  await recordHistory(workflowId, 'payRemittance-settled-by-a-step');
});
