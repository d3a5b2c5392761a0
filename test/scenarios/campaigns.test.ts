/** The Schedule that closes campaigns whose last day is past. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { closeNextCampaigns } from '../../activities/foundation/campaigns.js';
import { temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { aFoundation } from '../support/foundation.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { type Platform, startPlatform } from '../support/platform.js';
import { deleteSchedules, restingSchedules } from '../support/schedules.js';
import { aWorld } from '../support/world.js';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(async () => {
  await deleteSchedules();
  await platform.close();
});

/** Sets the last day of a campaign by the day of its foundation's time zone. */
const endOn = (id: string, offset: number, timezone: string) =>
  asOwner('UPDATE campaigns SET ends_on = app.local_day($2) + $3::int WHERE id = $1', [id, timezone, offset]);
const statusesOf = async (...ids: string[]) => {
  const found = await asOwner<{ id: string; status: string }>('SELECT id, status FROM campaigns WHERE id = ANY ($1)', [
    ids,
  ]);
  return ids.map((id) => found.find((row) => row.id === id)?.status);
};
const auditOf = (id: string) =>
  asOwner(`SELECT after->>'status' AS status, actor_user_id FROM audit_log WHERE subject_id = $1`, [id]);

test('a run closes ended campaigns by the day of each foundation, and a repeated step changes nothing', async () => {
  const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
  const first = await aFoundation(await aWorld(), { timezone: east });
  const second = await aFoundation(await aWorld(), { timezone: west });
  const unknown = await aFoundation(await aWorld(), { timezone: 'Nowhere/Lost' });
  const open = await aFoundation(await aWorld(), { timezone: east });
  await endOn(first.campaignId, -1, east);
  await endOn(second.campaignId, 0, west);
  await endOn(unknown.campaignId, -1, 'UTC');
  const all = [first, second, unknown, open].map(({ campaignId }) => campaignId);

  await restingSchedules();
  const handle = temporal().schedule.getHandle(scheduleId('close-campaigns'));
  const { spec, policies } = await handle.describe();
  expect(spec.calendars?.[0]).toMatchObject({ hour: [expect.objectContaining({ start: 1 })] });
  expect(policies.catchupWindow).toBe(12 * 3_600_000);
  await handle.trigger();
  const workflowId = await startedBy(handle);
  expect(await temporal().workflow.getHandle(workflowId).result()).toBe('closed');
  expect(await statusesOf(...all)).toEqual(['closed', 'active', 'closed', 'active']);
  expect(await auditOf(first.campaignId)).toEqual([{ status: 'closed', actor_user_id: null }]);
  await recordHistory(workflowId, 'closeEndedCampaigns-closes-ended');

  const environment = new MockActivityEnvironment();
  for (let run = 0; run < 2; run += 1)
    expect(
      await environment.run<[null], string | null, typeof closeNextCampaigns>(closeNextCampaigns, null),
    ).toBeNull();
  expect(await statusesOf(...all)).toEqual(['closed', 'active', 'closed', 'active']);
  expect(await auditOf(first.campaignId)).toHaveLength(1);
});

async function startedBy(handle: ReturnType<ReturnType<typeof temporal>['schedule']['getHandle']>): Promise<string> {
  const { info } = await handle.describe();
  const workflowId = (info.recentActions[0]?.action as { workflow?: { workflowId: string } } | undefined)?.workflow
    ?.workflowId;
  if (workflowId) return workflowId;
  await new Promise((resolve) => setTimeout(resolve, 100));
  return startedBy(handle);
}
