/** Push notifications from the change to the phone, by real processes; and the job that deletes old records. */
import { startRelay, type Relay } from '../../activities/relay.js';
import { createWorkers, type Workers } from '../../activities/worker.js';
import { config } from '../../config.js';
import { closeTemporal, temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { sequelize } from '../../models/database/connection.js';
import { notificationDelivery } from '../../workflows/contracts/index.js';
import { aCriticalOne, aPushingWorker, aRegisteredPhone, recordsOf } from '../activities/notifications.support.js';
import { recordHistory } from '../support/histories.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { deleteSchedules, restingSchedules } from '../support/schedules.js';
import { aWorld, type World } from '../support/world.js';

const push = aPushingWorker();
let workers: Workers;
let running: Promise<void>;
let relay: Relay;
let world: World;

beforeAll(async () => {
  Object.assign(config, { RELAY_SWEEP_SECONDS: 1 });
  await registerSearchAttributes();
  await restingSchedules();
  workers = await createWorkers();
  running = workers.run();
  relay = startRelay();
  world = await aWorld({ members: 1 });
});
afterAll(async () => {
  await deleteSchedules();
  workers.shutdown();
  await running;
  await relay.stop();
  await closeTemporal();
  await closeOwner();
  await sequelize.close();
});

test('a notification is pushed to the phone, and the push is repeated when the gateway is down for a moment', async () => {
  const { token } = await push.phone('ios');
  await aRegisteredPhone(world.member.userId, token);
  await push.fault({ kind: 'too_many_requests', token, retry_after_seconds: 1 });
  const id = await aCriticalOne(world.organizationId, world.member.userId);
  await eventually(
    () => recordsOf(id),
    (records) => records.length === 2 && records[1]?.outcome === 'success',
  );
  expect(await push.arrivals({ token })).toMatchObject([{ collapse_id: id, badge: 1 }]);
  const channel = temporal().workflow.getHandle(
    notificationDelivery.workflowId({ organizationId: world.organizationId, channel: 'ios' }),
  );
  await eventually(
    () => channel.describe(),
    ({ status }) => status.name === 'COMPLETED',
  );
  await recordHistory(channel.workflowId, 'notificationDelivery-pushed');
});

test('the Sunday job deletes records of pushes as configured and notifications after a year', async () => {
  const phone = await aRegisteredPhone(world.member.userId, 'ab'.repeat(32));
  const record = (days: number, notification: string | null) =>
    asOwner(
      `INSERT INTO push_delivery_records (organization_id, notification_id, token_id, platform, environment, attempt, claimed_at)
       VALUES ($1, $2, $3, 'ios', 'production', $4::int + 10, now() - $4::int * interval '1 day')`,
      [world.organizationId, notification, phone, days],
    );
  const old = await aCriticalOne(world.organizationId, world.member.userId);
  const recent = await aCriticalOne(world.organizationId, world.member.userId);
  await asOwner(`UPDATE notifications SET created_at = now() - interval '366 days' WHERE id = $1`, [old]);
  await asOwner('DELETE FROM push_delivery_records');
  await record(91, null);
  await record(89, old);
  const schedule = temporal().schedule.getHandle(scheduleId('push-prune'));
  await schedule.trigger();
  await eventually(
    () => asOwner('SELECT id FROM notifications WHERE id IN ($1, $2)', [old, recent]),
    (left) => left.length === 1,
  );
  expect(await asOwner('SELECT attempt, notification_id FROM push_delivery_records')).toEqual([
    { attempt: 99, notification_id: null },
  ]);
  const { info } = await schedule.describe();
  const { workflowId } = (info.recentActions[0] as (typeof info.recentActions)[number]).action.workflow;
  await eventually(
    () => temporal().workflow.getHandle(workflowId).describe(),
    ({ status }) => status.name === 'COMPLETED',
  );
  await recordHistory(workflowId, 'pushPrune-pruned');
});
