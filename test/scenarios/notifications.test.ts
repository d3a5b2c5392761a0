/**
 * Notifications from the change to the mailbox, by real processes: the channel of an organization, and the job that runs every five
 * minutes.
 */
import { startRelay, type Relay } from '../../activities/relay.js';
import { createWorkers, type Workers } from '../../activities/worker.js';
import { config } from '../../config.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { closeTemporal, temporal } from '../../gateways/temporal/client.js';
import { scheduleId } from '../../gateways/temporal/schedules.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { sequelize } from '../../models/database/connection.js';
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { notifications } from '../../models/finances/notifications.js';
import { startWithdrawal } from '../../models/forums/withdrawals.js';
import { notify } from '../../models/notifications/notify.js';
import { publishAlert } from '../../models/platform/alerts/publishAlert.js';
import {
  forumWithdrawal,
  notificationDelivery,
  notificationFanout,
  platformAlert,
} from '../../workflows/contracts/index.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { recordHistory } from '../support/histories.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { deleteSchedules, restingSchedules } from '../support/schedules.js';
import { anInvoice, aPlatformAdmin, aWorld, type World } from '../support/world.js';

let mailbox: Catcher;
let workers: Workers;
let running: Promise<void>;
let relay: Relay;
let world: World;

beforeAll(async () => {
  mailbox = await startMailServer();
  Object.assign(config, { RELAY_SWEEP_SECONDS: 1 });
  await registerSearchAttributes();
  await restingSchedules();
  workers = await createWorkers();
  running = workers.run();
  relay = startRelay();
});
beforeEach(async () => {
  world = await aWorld({ members: 1 });
  mailbox.mails.clear();
});
afterAll(async () => {
  await deleteSchedules();
  workers.shutdown();
  await running;
  await relay.stop();
  await stopMailServer(mailbox);
  await closeTemporal();
  await closeOwner();
  await sequelize.close();
});

const anIssuedInvoice = async (): Promise<string> => {
  const id = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  await inTenant(world.organizationId, () => notify(notifications.invoice_issued, [id]));
  return id;
};
const mails = (count: number) =>
  eventually(
    async () => mailbox.mails.list(world.member.email),
    (list) => list.length === count,
  );
const channel = () =>
  temporal().workflow.getHandle(
    notificationDelivery.workflowId({ organizationId: world.organizationId, channel: 'email' }),
  );
const ended = () =>
  eventually(
    () => channel().describe(),
    ({ status }) => status.name === 'COMPLETED',
  );

test('notifications are mailed, also a second burst after the channel of the first had ended', async () => {
  const first = await anIssuedInvoice();
  const [mail] = await mails(1);
  expect(mail?.text).toContain(`${config.frontendUrl}/invoices/${first}`);
  await ended();
  await recordHistory(channel().workflowId, 'notificationDelivery-delivered');
  for (let n = 0; n < 3; n += 1) await anIssuedInvoice();
  await mails(4);
});

test('a process withdraws the notifications of a hidden text', async () => {
  const { organizationId, member } = world;
  const [post] = await asOwner<{ id: string }>(
    `WITH forum AS (INSERT INTO forums (organization_id, name) VALUES ($1, 'Housing') RETURNING id)
     INSERT INTO forum_posts (organization_id, forum_id, author_id, title, body, body_html, request_hash, deleted_at, deleted_by)
     SELECT $1, id, $2, 'Keys', 'x', 'x', 'x', now(), $2 FROM forum RETURNING id`,
    [organizationId, member.userId],
  );
  const postId = post?.id as string;
  await asOwner(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type, subject_id)
     VALUES ($1, $2, 'forum_post:' || $3 || ':post', 'forum_new_post', 'new_post', 'Keys', 'forum_post', $3::uuid)`,
    [organizationId, world.officer.userId, postId],
  );
  await inTenant(organizationId, () => startWithdrawal(postId));
  await eventually(
    () => toldOf(postId),
    ([row]) => row?.unlisted === 1,
  );
  const handle = temporal().workflow.getHandle(forumWithdrawal.workflowId({ organizationId, postId, version: '1' }));
  await eventually(
    () => handle.describe(),
    ({ status }) => status.name === 'COMPLETED',
  );
  await recordHistory(handle.workflowId, 'forumWithdrawal-withdrawn');
});

/** Members beside the first, in one statement. */
const crowd = (count: number) =>
  asOwner(
    `WITH people AS (
       INSERT INTO users (email, first_name, last_name)
       SELECT 'crowd-' || n || '-' || $1 || '@example.org', 'A', 'B' FROM generate_series(1, $2) n RETURNING id)
     INSERT INTO memberships (organization_id, user_id, chapter_id) SELECT $1::uuid, id, $3 FROM people`,
    [world.organizationId, count, world.chapterId],
  );
async function alert(audience: 'admins' | 'everyone') {
  const { userId } = await aPlatformAdmin();
  return inPlatform(() => publishAlert({ title: 'Maintenance', body: 'Tonight.', audience }, userId));
}
const toldOf = (subject: string) =>
  asOwner<{ n: number; unlisted: number }>(
    'SELECT count(*)::int AS n, count(unlisted_reason)::int AS unlisted FROM notifications WHERE subject_id = $1 AND organization_id = $2',
    [subject, world.organizationId],
  );

test('an alert notifies every person of every organization once, a large organization by a process of its own', async () => {
  const other = await aWorld({ members: 1 });
  await crowd(210);
  const { id } = await alert('everyone');
  const [{ n: expected }] = (await asOwner<{ n: number }>(
    'SELECT count(DISTINCT user_id)::int AS n FROM affiliations WHERE organization_id = $1',
    [world.organizationId],
  )) as [{ n: number }];
  await eventually(
    () => toldOf(id),
    ([row]) => row?.n === expected,
  );
  const [fanout] = await asOwner<{ id: string; organization_id: string }>(
    'SELECT id, organization_id FROM notification_fanouts WHERE subject_id = $1',
    [id],
  );
  const handle = temporal().workflow.getHandle(
    notificationFanout.workflowId({ organizationId: world.organizationId, fanoutId: fanout?.id as string }),
  );
  await eventually(
    () => handle.describe(),
    ({ status }) => status.name === 'COMPLETED',
  );
  await recordHistory(handle.workflowId, 'notificationFanout-told');
  expect(
    await asOwner('SELECT status, expected, reached FROM notification_fanouts WHERE subject_id = $1', [id]),
  ).toEqual([{ status: 'done', expected, reached: expected }]);
  const whole = temporal().workflow.getHandle(platformAlert.workflowId({ organizationId: null, alertId: id }));
  await eventually(
    () => whole.describe(),
    ({ status }) => status.name === 'COMPLETED',
  );
  await recordHistory(whole.workflowId, 'platformAlert-told');
  const elsewhere = await asOwner('SELECT 1 FROM notifications WHERE subject_id = $1 AND organization_id = $2', [
    id,
    other.organizationId,
  ]);
  expect(elsewhere.length).toBeGreaterThan(0);
});

test('the five-minute job mails notifications that no channel picked up and those that quiet hours held', async () => {
  await asOwner('ALTER TABLE notifications DISABLE TRIGGER notifications_plan_deliveries');
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type, subject_id)
     VALUES ($1, $2, 'x', 'something_new', 'event_updated', 'A post', 'post', $3) RETURNING id`,
    [world.organizationId, world.member.userId, uuidv7()],
  );
  await asOwner('ALTER TABLE notifications ENABLE TRIGGER notifications_plan_deliveries');
  await asOwner(
    `INSERT INTO notification_deliveries (organization_id, notification_id, channel, recipient_id, critical, held)
     VALUES ($1, $2, 'email', $3, false, true)`,
    [world.organizationId, row?.id, world.member.userId],
  );
  const schedule = temporal().schedule.getHandle(scheduleId('notification-redispatch'));
  await schedule.trigger();
  await mails(1);
  const { info } = await schedule.describe();
  const [action] = info.recentActions;
  await recordHistory(action?.action.workflow.workflowId ?? '', 'notificationRedispatch-listed');
});
