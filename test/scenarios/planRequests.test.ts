/** The window of a plan request, in which no reminders are sent: its process shows it, announces its end, and ends with the decision. */
import { MockActivityEnvironment } from '@temporalio/testing';
import pg from 'pg';
import { grantPlans } from '../../activities/finances/planBulkApproval.js';
import { followPlanFreeze } from '../../activities/finances/planFreeze.js';
import { config } from '../../config.js';
import { temporal } from '../../gateways/temporal/client.js';
import { rows } from '../../models/database/rows.js';
import { inPlatform } from '../../models/database/tenancy.js';
import { processId } from '../../api/processes/id.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { lockWaits } from '../support/lockWaits.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { queueWorkers } from '../support/queueWorkers.js';
import { aMember, anInvoice, type Person } from '../support/world.js';

const stage = apiWorld();
queueWorkers(['core'], { relay: true });
const { world } = stage;
const hq = (rest: string) => `/api/hq/dues/${world.organizationId}/plan-requests/${rest}`;

beforeAll(async () => {
  await asOwner(
    `INSERT INTO org_dues_settings (organization_id, payment_plans_enabled) VALUES ($1, true)
     ON CONFLICT (organization_id) DO UPDATE SET payment_plans_enabled = true`,
    [world.organizationId],
  );
});

async function aPlanRequest(): Promise<{ id: string; member: Person; invoice: string }> {
  const { organizationId, chapterId } = world;
  const member = await aMember(organizationId, chapterId);
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 9_000, dueIn: 10 });
  const [{ day }] = (await asOwner(`SELECT to_char(current_date + 5, 'YYYY-MM-DD') AS day`)) as [{ day: string }];
  const body = {
    invoice,
    justification: 'Between two jobs.',
    installment_count: 3,
    first_due_date: day,
    interval: 'monthly',
  };
  const answer = await stage.as(member).post('/api/billing/me/plan-requests/', body);
  expect(answer).toMatchObject({ status: 201, body: { is_frozen: true } });
  return { id: answer.body.id, member, invoice };
}

const follow = (requestId: string) =>
  new MockActivityEnvironment().run(followPlanFreeze, { organizationId: world.organizationId, requestId });
const ended = (id: string) =>
  eventually(
    () =>
      temporal()
        .workflow.getHandle(`plan-freeze/${id}`)
        .describe()
        .catch(() => null),
    (description) => description?.status.name === 'COMPLETED',
    60,
  );
const notificationTypes = async (id: string, { userId }: { userId: string }) =>
  (
    await asOwner<{ type: string }>(
      'SELECT notification_type AS type FROM notifications WHERE subject_id = $1 AND recipient_id = $2 ORDER BY id',
      [id, userId],
    )
  ).map(({ type }) => type);
const movedBy = (id: string, days: number) =>
  asOwner('UPDATE payment_plan_requests SET freeze_anchor = current_date + $2::int WHERE id = $1', [id, days]);

test('the process of a plan request ends with the decision', async () => {
  const { id } = await aPlanRequest();
  await eventually(
    async () => (await stage.admin.get(`/api/processes/?subject=${id}`)).body,
    ({ results }) => results[0]?.stage === 'running',
    60,
  );
  expect((await stage.admin.post(hq(`${id}/review/`), { decision: 'approve' })).status).toBe(200);
  await ended(id);
  await recordHistory(`plan-freeze/${id}`, 'planFreeze-decided');
});

test('the reviewers are reminded a day before the window ends, and both sides are notified of its end, each once', async () => {
  const { id, member } = await aPlanRequest();
  expect(await follow(id)).toMatchObject({ endsSoon: false });
  await movedBy(id, -2);
  expect(await follow(id)).toMatchObject({ endsSoon: true });
  await follow(id);
  expect(await notificationTypes(id, world.admin)).toEqual(['plan_requested', 'plan_freeze_ends_soon']);
  const [reminder] = await asOwner<{ title: string; body: string; last_day: string }>(
    `SELECT n.title, n.body, to_char(r.freeze_anchor + 2, 'YYYY-MM-DD') AS last_day
       FROM notifications n JOIN payment_plan_requests r ON r.id = n.subject_id
      WHERE n.subject_id = $1 AND n.recipient_id = $2 AND n.notification_type = 'plan_freeze_ends_soon'`,
    [id, world.admin.userId],
  );
  expect(reminder?.title).toContain('ends soon');
  expect(reminder?.body).toContain(`frozen until the end of ${reminder?.last_day} (UTC)`);
  await movedBy(id, -4);
  expect([await follow(id), await follow(id)]).toEqual([{ over: 'over' }, { over: 'over' }]);
  expect(await notificationTypes(id, world.admin)).toEqual([
    'plan_requested',
    'plan_freeze_ends_soon',
    'plan_freeze_over',
  ]);
  expect(await notificationTypes(id, member)).toEqual(['plan_freeze_over']);
});

test('a plan request that lapses because nothing is due any more notifies the requester', async () => {
  const { id, member, invoice } = await aPlanRequest();
  await stage.admin.post(`/api/invoices/${invoice}/void/`, { reason: 'A mistake.' });
  await ended(id);
  await eventually(
    () => notificationTypes(id, member),
    (types) => types.length > 0,
    60,
  );
  expect([await follow(id), await notificationTypes(id, member)]).toEqual([{ over: 'decided' }, ['plan_decided']]);
});

interface Bulk {
  status: number;
  body: { id: string; status: string; workflow_id: string; done: number; total: number; approved: string[] };
}
const bulk = (): Promise<Bulk> => stage.admin.post(hq('bulk-approve-in-policy/'), {});
const readBulk = async (id: string): Promise<Bulk['body']> => (await stage.admin.get(hq(`bulk-approvals/${id}/`))).body;
const statuses = async (ids: string[]): Promise<string[]> =>
  (
    await asOwner<{ status: string }>(
      'SELECT status FROM payment_plan_requests WHERE id = ANY ($1) ORDER BY freeze_anchor, id',
      [ids],
    )
  ).map(({ status }) => status);

test('a process approves all plan requests within the policy in seconds, and none twice', async () => {
  const asking = [await aPlanRequest(), await aPlanRequest()].map(({ id }) => id);
  const answer = await bulk();
  expect(answer).toMatchObject({ status: 200, body: { status: 'approved', done: answer.body.total } });
  expect(answer.body.approved).toEqual(expect.arrayContaining(asking));
  expect(await statuses(asking)).toEqual(['approved', 'approved']);
  await recordHistory(answer.body.workflow_id, 'planBulkApproval-approved');
  const { organizationId } = world;
  const again = await new MockActivityEnvironment().run(grantPlans, { organizationId, approvalId: answer.body.id });
  expect([again, (await bulk()).body.approved]).toEqual(['approved', []]);
  const by = await asOwner<{ by: string }>(
    'SELECT DISTINCT reviewed_by AS by FROM payment_plan_requests WHERE id = ANY ($1)',
    [asking],
  );
  expect(by).toEqual([{ by: world.admin.userId }]);
});

/** Locks an invoice as a payment does. */
async function lockInvoice(invoice: string) {
  const client = new pg.Client({ connectionString: process.env['DATABASE_OWNER_URL'] });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM chapter_invoices WHERE id = $1 FOR UPDATE', [invoice]);
  return { release: () => client.end() };
}
/** @param not the process id of a backend that waited before */
const waitsForInvoice = (not = 0) => eventually(lockWaits, (pids) => pids.some((pid) => pid !== not), 60);

test('a bulk approval continues after its connection is killed, stops between two requests when cancelled, and approves the rest when started again', async () => {
  const patience = config.PAY_WAIT_SECONDS;
  const all = [await aPlanRequest(), await aPlanRequest(), await aPlanRequest()];
  const ids = all.map(({ id }) => id);
  const lock = await lockInvoice(all[1]?.invoice as string);
  try {
    Object.assign(config, { PAY_WAIT_SECONDS: 1 });
    const { status, body } = await bulk();
    expect([status, body.status, body.total]).toEqual([202, 'approving', 3]);
    const [waiting] = await waitsForInvoice();
    expect(await statuses(ids)).toEqual(['approved', 'pending', 'pending']);
    // A role may terminate its own backends.
    await inPlatform(() => rows('SELECT pg_terminate_backend($1)', [waiting]));
    await waitsForInvoice(waiting);
    const cancel = await stage.admin.post(`/api/processes/${processId(body.workflow_id)}/cancel/`);
    expect(cancel.status).toBe(200);
    await lock.release();
    const ended = await eventually(
      () => readBulk(body.id),
      (run) => run.status !== 'approving',
      60,
    );
    expect(ended.status).toBe('cancelled');
    expect((await statuses(ids))[2]).toBe('pending');
    const endedProcess = await eventually(
      async () => (await stage.admin.get(`/api/processes/${processId(body.workflow_id)}/`)).body,
      (process) => process.status !== 'running',
      60,
    );
    expect(endedProcess).toMatchObject({ kind: 'plan_bulk_approval', status: 'cancelled', stage: 'cancelled' });
    await recordHistory(body.workflow_id, 'planBulkApproval-cancelled');
    Object.assign(config, { PAY_WAIT_SECONDS: 30 });
    expect((await bulk()).body.approved).toContain(ids[2]);
    expect(await statuses(ids)).toEqual(['approved', 'approved', 'approved']);
    const plans = await asOwner('SELECT id FROM payment_plans WHERE request_id = ANY ($1)', [ids]);
    expect(plans).toHaveLength(3);
  } finally {
    Object.assign(config, { PAY_WAIT_SECONDS: patience });
    await lock.release();
  }
});
