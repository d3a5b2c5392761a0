/** The window in which nobody is dunned: its process shows it, tells of its end, and ends with the decision. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { followPlanFreeze } from '../../activities/finances/planFreeze.js';
import { temporal } from '../../gateways/temporal/client.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
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

async function asked(): Promise<{ id: string; member: Person; invoice: string }> {
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
    (seen) => seen?.status.name === 'COMPLETED',
    60,
  );
const told = async (id: string, { userId }: { userId: string }) =>
  (
    await asOwner<{ type: string }>(
      'SELECT notification_type AS type FROM notifications WHERE subject_id = $1 AND recipient_id = $2 ORDER BY id',
      [id, userId],
    )
  ).map(({ type }) => type);
const movedBy = (id: string, days: number) =>
  asOwner('UPDATE payment_plan_requests SET freeze_anchor = current_date + $2::int WHERE id = $1', [id, days]);

test('the process of a window ends with the decision', async () => {
  const { id } = await asked();
  await eventually(
    async () => (await stage.admin.get(`/api/processes/?subject=${id}`)).body,
    ({ results }) => results[0]?.stage === 'running',
    60,
  );
  expect((await stage.admin.post(hq(`${id}/review/`), { decision: 'approve' })).status).toBe(200);
  await ended(id);
  await recordHistory(`plan-freeze/${id}`, 'planFreeze-decided');
});

test('those who decide are reminded a day before the end, and both sides hear of it, each once', async () => {
  const { id, member } = await asked();
  expect(await follow(id)).toMatchObject({ endsSoon: false });
  await movedBy(id, -2);
  expect(await follow(id)).toMatchObject({ endsSoon: true });
  await follow(id);
  expect(await told(id, world.admin)).toEqual(['plan_requested', 'plan_requested']);
  await movedBy(id, -4);
  expect([await follow(id), await follow(id)]).toEqual([{ over: 'over' }, { over: 'over' }]);
  expect(await told(id, world.admin)).toEqual(['plan_requested', 'plan_requested', 'plan_freeze_over']);
  expect(await told(id, member)).toEqual(['plan_freeze_over']);
});

test('what lapses since nothing is due any more is told to whoever asked, also when its window was over', async () => {
  const { id, member, invoice } = await asked();
  await stage.admin.post(`/api/invoices/${invoice}/void/`, { reason: 'A mistake.' });
  await ended(id);
  await eventually(
    () => told(id, member),
    (types) => types.length > 0,
    60,
  );
  expect([await follow(id), await told(id, member)]).toEqual([{ over: 'decided' }, ['plan_decided']]);
});
