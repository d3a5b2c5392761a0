import type { ScheduleHandle } from '@temporalio/client';
import { startRelay, type Relay } from '../../activities/relay.js';
import { createWorkers, type Workers } from '../../activities/worker.js';
import { config } from '../../config.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { closeTemporal, temporal } from '../../gateways/temporal/client.js';
import { scheduleId, upsertSchedules } from '../../gateways/temporal/schedules.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { sequelize } from '../../models/database/connection.js';
import { invoiceReminders, markOverdue } from '../../workflows/contracts/index.js';
import { recordHistory } from '../support/histories.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { deleteSchedules, restingSchedules } from '../support/schedules.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let mailbox: Catcher;
let workers: Workers;
let running: Promise<void>;
let relay: Relay;

const schedule = (): ScheduleHandle => temporal().schedule.getHandle(scheduleId('mark-overdue'));

beforeAll(async () => {
  mailbox = await startMailServer();
  Object.assign(config, { RELAY_SWEEP_SECONDS: 1 });
  await registerSearchAttributes();
  await restingSchedules();
  workers = await createWorkers();
  running = workers.run();
  relay = startRelay();
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

const invoice = (world: World, membershipId: string | null = world.member.membershipId) =>
  anInvoice(world, { chapterId: world.chapterId, membershipId, dueIn: -2 });
const overdue = async () => (await asOwner("SELECT id FROM chapter_invoices WHERE status = 'overdue'")).length;
const countNotices = async () =>
  (await asOwner("SELECT 1 FROM notification_deliveries WHERE channel = 'email' AND outcome = 'sent'")).length;

test('a run of the schedule marks the invoices of every organization and mails their payers', async () => {
  const worlds = [await aWorld(), await aWorld(), await aWorld()];
  for (const world of worlds.slice(0, 2)) for (let n = 0; n < 3; n += 1) await invoice(world);
  await schedule().trigger();
  await eventually(countNotices, (count) => count === 6);
  expect(await overdue()).toBe(6);
  const recipients = mailbox.mails.list().map(({ to }) => to[0]);
  expect(recipients).toHaveLength(6);
  expect(new Set(recipients)).toEqual(new Set(worlds.slice(0, 2).map(({ member }) => member.email)));

  const [row] = await asOwner<{ day: string }>("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day");
  const input = { organizationId: worlds[0]?.organizationId as string, day: row?.day as string };
  const marking = temporal().workflow.getHandle(markOverdue.workflowId(input));
  const { searchAttributes } = await eventually(
    () => marking.describe(),
    ({ status }) => status.name === 'COMPLETED',
  );
  expect(searchAttributes).toMatchObject({
    OrganizationId: [input.organizationId],
    ProcessKind: ['overdue_marking'],
    Stage: ['marked'],
  });
  await recordHistory(markOverdue.workflowId(input), 'markOverdue-marks-a-page');
  const [run] = (await schedule().describe()).info.recentActions;
  const started = run?.action.workflow;
  await recordHistory(started?.workflowId ?? '', 'markOverdueEverywhere-starts-children');
});

test('a second run on the same day marks invoices that became overdue since, and mails no payer again', async () => {
  const before = mailbox.mails.list().length;
  const world = await aWorld();
  await invoice(world);
  await schedule().trigger();
  await eventually(
    async () => mailbox.mails.list().length,
    (count) => count === before + 1,
  );
  await invoice(world);
  await schedule().trigger();
  await eventually(
    async () => mailbox.mails.list().length,
    (count) => count === before + 2,
  );
  await schedule().trigger();
  await eventually(
    async () => (await schedule().describe()).info.runningActions.length,
    (count) => count === 0,
  );
  expect(mailbox.mails.list()).toHaveLength(before + 2);
});

test('a run of the schedule of reminders claims each payer’s mail once, and follows it until it is sent', async () => {
  const before = mailbox.mails.list().length;
  const world = await aWorld();
  // It is noon in this time zone.
  const ahead = 12 - new Date().getUTCHours();
  const zone = `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
  await asOwner('UPDATE organizations SET timezone = $2 WHERE id = $1', [world.organizationId, zone]);
  // The marking, which may still be running, does not take these two organizations.
  for (const dueIn of [3, 5])
    await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, dueIn });
  await asOwner(`UPDATE chapter_invoices SET created_at = now() - interval '90 days' WHERE organization_id = $1`, [
    world.organizationId,
  ]);
  const reminders = temporal().schedule.getHandle(scheduleId('invoice-reminders'));
  await reminders.trigger();
  await eventually(
    async () => mailbox.mails.list().slice(before),
    ([mail, ...others]) => mail?.to[0] === world.member.email && others.length === 0,
  );
  const [row] = await asOwner<{ day: string }>(
    `SELECT to_char(app.local_day(timezone), 'YYYY-MM-DD') AS day FROM organizations WHERE id = $1`,
    [world.organizationId],
  );
  const id = invoiceReminders.workflowId({ organizationId: world.organizationId, day: row?.day as string });
  await eventually(
    () => temporal().workflow.getHandle(id).describe(),
    ({ status }) => status.name === 'COMPLETED',
  );
  await recordHistory(id, 'invoiceReminders-reminds-a-payer');
  const [run] = (await reminders.describe()).info.recentActions;
  await recordHistory(run?.action.workflow.workflowId ?? '', 'invoiceRemindersEverywhere-starts-one');
  await reminders.trigger();
  await eventually(
    async () => (await reminders.describe()).info.runningActions.length,
    (count) => count === 0,
  );
  expect(mailbox.mails.list()).toHaveLength(before + 1);
});

test('the schedule runs hourly, makes up for one missed run, never overlaps, and survives being upserted again', async () => {
  await schedule().pause('An operator had a reason.');
  await upsertSchedules();
  const { spec, policies, state } = await schedule().describe();
  expect(spec.calendars).toMatchObject([{ minute: [{ start: 5, end: 5 }], hour: [{ start: 0, end: 23 }] }]);
  expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 3_600_000 });
  expect(state.paused).toBe(true);
  await schedule().unpause();
});
