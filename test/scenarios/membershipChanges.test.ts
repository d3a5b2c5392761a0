import type { ScheduleHandle } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { applyDueChanges } from '../../activities/organizations/membershipChanges.js';
import { temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { membershipChanges } from '../../workflows/contracts/membershipChanges.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { scheduledWorkers } from '../support/scheduledWorkers.js';
import { aWorld, type World } from '../support/world.js';

scheduledWorkers();

const schedule = (): ScheduleHandle => temporal().schedule.getHandle(scheduleId('membership-changes'));

/** Schedules undergrads to become alumni, `offset` days from today in UTC. */
const graduating = (world: World, offset: number) =>
  asOwner(
    `INSERT INTO membership_scheduled_changes (organization_id, membership_id, status, effective_on, hand)
     SELECT $1, id, 'alumni', (now() AT TIME ZONE 'UTC')::date + $3::int, 'organization' FROM unnest($2::uuid[]) id`,
    [world.organizationId, world.memberships, offset],
  );
const alumni = async ({ memberships }: World) =>
  (await asOwner(`SELECT FROM memberships WHERE id = ANY ($1) AND status = 'alumni'`, [memberships])).length;

test('a run of the schedule applies each change once, on its day in the zone of its organization', async () => {
  const [here, ahead, waiting] = [await aWorld(), await aWorld(), await aWorld()];
  // The local date there is a day ahead of UTC's, except in the first ten hours of the UTC day.
  const [zone] = await asOwner<{ name: string; offset: number }>(
    `SELECT CASE WHEN extract(hour FROM now() AT TIME ZONE 'UTC') < 10 THEN 'UTC' ELSE 'Pacific/Kiritimati' END AS name,
            CASE WHEN extract(hour FROM now() AT TIME ZONE 'UTC') < 10 THEN 0 ELSE 1 END AS offset`,
  );
  await asOwner('UPDATE organizations SET timezone = $2 WHERE id = $1', [ahead.organizationId, zone?.name]);
  await graduating(here, 0);
  await graduating(ahead, zone?.offset as number);
  await graduating(waiting, 1);
  await schedule().trigger();
  await eventually(
    async () => [await alumni(here), await alumni(ahead)],
    (done) => done.every((count) => count === 3),
  );
  expect(await alumni(waiting)).toBe(0);

  const [row] = await asOwner<{ day: string }>("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day");
  const input = { organizationId: here.organizationId, day: row?.day as string };
  const handle = temporal().workflow.getHandle(membershipChanges.workflowId(input));
  expect(await handle.result()).toBe('applied');
  expect(await new MockActivityEnvironment().run(applyDueChanges, input)).toBe(false);
  expect(
    await asOwner('SELECT FROM membership_periods WHERE organization_id = $1 AND source = $2', [
      here.organizationId,
      'scheduled',
    ]),
  ).toHaveLength(3);
  await recordHistory(membershipChanges.workflowId(input), 'membershipChanges-applies-what-is-due');
  const [run] = (await schedule().describe()).info.recentActions;
  const started = run?.action.workflow?.workflowId ?? '';
  await temporal().workflow.getHandle(started).result();
  await recordHistory(started, 'membershipChangesEverywhere-starts-children');
});
