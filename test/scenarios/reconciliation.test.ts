/** The Schedule that compares every processor account once a day, and the process of one account. */
import { temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { enqueue } from '../../models/database/outbox.js';
import { inTenant } from '../../models/database/tenancy.js';
import { reconciliation } from '../../workflows/contracts/reconciliation.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { deleteSchedules, restingSchedules } from '../support/schedules.js';
import { Outsider } from '../support/walk/outsider.js';
import { anInvoice, aWorld } from '../support/world.js';

const platform = aPlatform();
afterAll(deleteSchedules);

test('a charge without an event is recorded when its account is compared', async () => {
  const world = await aWorld({ members: 1 });
  const processor = await aProcessor(world);
  const { organizationId, chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 5_000 });
  await platform.fault({ kind: 'delay_events', delay_ms: 600_000 });
  await new Outsider(platform.gateway.url, organizationId, processor).chargeInvoice(invoice, 5_000);
  const [now] = await asOwner<{ day: string; from: string; to: string }>(
    `SELECT to_char(now(), 'YYYY-MM-DD') AS day, (now() - interval '3 days')::text AS "from", (now() + interval '1 minute')::text AS "to"`,
  );
  const run = now as { day: string; from: string; to: string };
  const workflowId = reconciliation.workflowId({ organizationId, processorId: processor, ...run });
  await inTenant(organizationId, () => enqueue(reconciliation, { processorId: processor, ...run }));
  const ended = () =>
    asOwner<{ status: string }>('SELECT status FROM reconciliations WHERE organization_id = $1', [organizationId]);
  await eventually(ended, ([row]) => row?.status === 'compared', 60);
  expect(await temporal().workflow.getHandle(workflowId).result()).toBe('compared');
  const admin = platform.client(world.admin);
  expect((await admin.get(`/api/invoices/${invoice}/`)).body).toMatchObject({ status: 'paid', balance_due_cents: 0 });
  expect((await admin.get(`/api/organizations/${organizationId}/money-cases/`)).body.results).toEqual([]);
  await recordHistory(workflowId, 'reconciliation-compared');
});

test('the Schedule starts one process for each account, at an hour of its own', async () => {
  const world = await aWorld({ members: 1 });
  const processor = await aProcessor(world);
  await restingSchedules();
  const handle = temporal().schedule.getHandle(scheduleId('reconcile'));
  const [calendar] = (await handle.describe()).spec.calendars ?? [];
  expect(calendar).toMatchObject({ hour: [expect.objectContaining({ start: 4 })] });
  await handle.trigger();
  const runs = () =>
    asOwner<{ status: string; hours: number }>(
      `SELECT status, (extract(epoch FROM period_to - period_from) / 3600)::int AS hours FROM reconciliations WHERE processor_id = $1`,
      [processor],
    );
  expect(await eventually(runs, ([run]) => run?.status === 'compared', 60)).toEqual([
    { status: 'compared', hours: 72 },
  ]);
  const { workflow } = (await handle.describe()).info.recentActions[0]?.action ?? {};
  const { workflowId } = workflow as { workflowId: string };
  await temporal().workflow.getHandle(workflowId).result();
  await recordHistory(workflowId, 'reconcileEverywhere-starts-all');
});
