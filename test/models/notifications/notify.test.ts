/** A change and its notifications are one commit; their channels are decided at delivery. */
import '../../../models/wireAreas.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { notifications } from '../../../models/finances/notifications.js';
import { ERASED_ADDRESS } from '../../../models/identity/deletion/erased.js';
import { claimDeliveries } from '../../../models/notifications/deliveries/claimDeliveries.js';
import { explainNotification } from '../../../models/notifications/explain.js';
import { notify } from '../../../models/notifications/notify.js';
import { defineNotifications } from '../../../models/notifications/types.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aMember, anInvoice, aWorld, type World } from '../../support/world.js';

let world: World;
let invoiceId: string;

beforeEach(async () => {
  world = await aWorld({ members: 1 });
  invoiceId = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
});
afterAll(closeOwner);

const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
const tell = (...invoices: string[]) => inWorld(() => notify(notifications.invoice_issued, invoices));

const readNotifications = () =>
  asOwner<Record<string, unknown>>(
    `SELECT recipient_id, event_id, event_type, category, critical, title, body, target_url, unlisted_reason, scheduled_for
       FROM notifications WHERE organization_id = $1 ORDER BY id`,
    [world.organizationId],
  );
const deliveries = () =>
  asOwner<{ channel: string; outcome: string | null; reason: string | null; held: boolean }>(
    'SELECT channel, outcome, reason, held FROM notification_deliveries WHERE organization_id = $1',
    [world.organizationId],
  );
const claim = () => inWorld(() => claimDeliveries('email', 200));

test('a member is notified of an invoice, in words of that time', async () => {
  await tell(invoiceId);
  expect(await readNotifications()).toEqual([
    expect.objectContaining({
      recipient_id: world.member.userId,
      event_id: `invoice:${invoiceId}:issued`,
      category: 'billing',
      critical: true,
      target_url: `/invoices/${invoiceId}`,
      unlisted_reason: null,
      scheduled_for: null,
    }),
  ]);
  await asOwner(
    `UPDATE chapter_invoices SET description = 'Fall dues' || chr(13) || chr(10) || 'Bcc: {amount}' WHERE id = $1`,
    [invoiceId],
  );
  const { claimed } = await claim();
  expect(claimed).toEqual([expect.objectContaining({ title: 'New invoice: Fall dues Bcc: {amount}' })]);
  expect(await readNotifications()).toEqual([
    expect.objectContaining({ title: 'New invoice: Fall dues Bcc: {amount}' }),
  ]);
});

test('a repeated notification reaches no recipient twice', async () => {
  await tell(invoiceId);
  await Promise.all([tell(invoiceId), tell(invoiceId, invoiceId)]);
  expect(await readNotifications()).toHaveLength(1);
  expect(await deliveries()).toHaveLength(1);
});

test('an erased person gets no notification, and none of theirs is kept', async () => {
  await asOwner(`UPDATE users SET email = ${ERASED_ADDRESS}, disabled_at = now() WHERE id = $1`, [world.member.userId]);
  await tell(invoiceId);
  expect(await readNotifications()).toEqual([]);
});

test('a claimed delivery cannot be claimed again', async () => {
  await tell(invoiceId);
  const [one, other] = await Promise.all([claim(), claim()]);
  expect(one.claimed.length + other.claimed.length).toBe(1);
});

test('many notifications are written in one statement, and request their delivery once', async () => {
  const more = [];
  for (let n = 0; n < 5; n += 1)
    more.push(await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId }));
  await tell(invoiceId);
  await tell(...more);
  expect(await readNotifications()).toHaveLength(6);
  const deliveryRequests = await asOwner(`SELECT 1 FROM outbox WHERE workflow_id = $1`, [
    `delivery/${world.organizationId}/email`,
  ]);
  expect(deliveryRequests).toHaveLength(1);
});

test('a notification that is inserted by SQL is delivered', async () => {
  await asOwner(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type, subject_id)
     VALUES ($1, $2, 'x', 'something_new', 'event_updated', 'A post', 'post', $3)`,
    [world.organizationId, world.member.userId, uuidv7()],
  );
  expect((await claim()).claimed).toEqual([expect.objectContaining({ title: 'A post', address: expect.any(String) })]);
});

test.each([
  ['no_access', `UPDATE memberships SET status = 'inactive' WHERE user_id = $1`, 'event_updated'],
  [
    'preference_off',
    `INSERT INTO notification_preferences (organization_id, user_id, event_type, in_app_enabled, email_enabled, push_enabled)
     SELECT organization_id, user_id, 'event_updated', true, false, true FROM memberships WHERE user_id = $1`,
    'event_updated',
  ],
  ['already_read', 'UPDATE notifications SET read_at = now() WHERE recipient_id = $1', 'event_updated'],
  ['own_action', 'UPDATE notifications SET actor_id = $1 WHERE recipient_id = $1', 'event_updated'],
])('a notification whose reason changed before delivery is not mailed: %s', async (reason, change, event) => {
  await asOwner(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type, subject_id)
     VALUES ($1, $2, 'x', 'something_new', $4, 'A post', 'post', $3)`,
    [world.organizationId, world.member.userId, uuidv7(), event],
  );
  await asOwner(change, [world.member.userId]);
  expect((await claim()).claimed).toEqual([]);
  expect(await deliveries()).toEqual([{ channel: 'email', outcome: 'suppressed', reason, held: false }]);
});

test('a notification of a voided invoice is not delivered, nor one to a former payer', async () => {
  await tell(invoiceId);
  await asOwner(`UPDATE chapter_invoices SET status = 'void', voided_at = now() WHERE id = $1`, [invoiceId]);
  expect((await claim()).claimed).toEqual([]);
  expect(await deliveries()).toEqual([expect.objectContaining({ outcome: 'suppressed', reason: 'withdrawn' })]);
});

test('facts may depend on the cause when a notification is made, delivered and explained', async () => {
  const { name: _, ...wording } = notifications.invoice_issued;
  const facts = { facts: 'facts_of_cause', factsOfCause: true } as const;
  const { caused } = defineNotifications({
    caused: { ...wording, ...facts, event: 'platform_alert', title: 'Caused by {cause}', path: '/', recipients: null },
  });
  await asOwner(
    `CREATE FUNCTION app.facts_of_cause(uuid, uuid, uuid, text, cause text) RETURNS TABLE (facts jsonb)
     LANGUAGE sql STABLE AS $$ SELECT jsonb_build_object('cause', cause) WHERE cause <> 'none' $$`,
  );
  for (const cause of ['a:b', 'none'])
    await inWorld(() => notify(caused, [invoiceId], { to: [world.member.userId], cause }));
  expect((await readNotifications()).map(({ title, unlisted_reason }) => [title, unlisted_reason])).toEqual([
    ['Caused by a:b', null],
    ['caused', 'withdrawn'],
  ]);
  expect((await claim()).claimed.map(({ title }) => title)).toEqual(['Caused by a:b']);
  const [made] = await asOwner<{ id: string }>(`SELECT id FROM notifications WHERE title = 'Caused by a:b'`);
  const explained = await inWorld(() => explainNotification(world.member.userId, made?.id as string));
  expect(explained?.email).toMatchObject({ outcome: 'waiting', reason: null });
});

test('quiet hours hold ordinary notifications, and no urgent ones', async () => {
  await asOwner(
    `INSERT INTO user_quiet_hours (user_id, enabled, start_time, end_time, timezone)
     VALUES ($1, true, (now() - interval '1 hour')::time, (now() + interval '2 hours')::time, 'UTC')`,
    [world.member.userId],
  );
  await tell(invoiceId);
  expect((await claim()).claimed).toHaveLength(1);
  await asOwner(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type, subject_id)
     VALUES ($1, $2, 'x', 'something_new', 'event_updated', 'A post', 'post', $3)`,
    [world.organizationId, world.member.userId, uuidv7()],
  );
  expect((await claim()).claimed).toEqual([]);
  expect((await deliveries()).filter(({ held }) => held)).toEqual([
    expect.objectContaining({ outcome: null, reason: 'quiet_hours' }),
  ]);
  const { userId } = world.member;
  await asOwner('UPDATE user_quiet_hours SET enabled = false WHERE user_id = $1', [userId]);
  await inWorld(async () => {
    const { rows } = await import('../../../models/database/rows.js');
    await rows('SELECT app.release_held($1)', [userId]);
  });
  expect((await claim()).claimed).toEqual([expect.objectContaining({ held: true })]);
});

test('officers get no amounts that their organization hides from them', async () => {
  const treasurer = await aMember(world.organizationId, world.chapterId, 'officer');
  const chapterInvoice = await anInvoice(world, { chapterId: world.chapterId, membershipId: null });
  await asOwner(
    `INSERT INTO org_dues_settings (organization_id, officers_see_amounts) VALUES ($1, false)
     ON CONFLICT (organization_id) DO UPDATE SET officers_see_amounts = false`,
    [world.organizationId],
  );
  await tell(chapterInvoice);
  const [row] = await readNotifications();
  expect([world.officer.userId, treasurer.userId]).toContain(row?.['recipient_id']);
  expect(row?.['body']).not.toMatch(/USD/);
});
