/** Mails of notifications: contents, sender and outcome, also when a worker dies in between. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { deliverNextPage } from '../../activities/notifications/deliver.js';
import { closeMail } from '../../activities/mail.js';
import { config } from '../../config.js';
import { type Catcher, startCatcher } from '../../development/standins/mail/catcher.js';
import { type Receiver, startReceiver } from '../../gateways/mail/bounces/startReceiver.js';
import { sequelize } from '../../models/database/connection.js';
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { notifications } from '../../models/finances/notifications.js';
import { recordBounce } from '../../models/notifications/mail/recordBounce.js';
import { mailOfReturnPath } from '../../models/notifications/mail/returnPath.js';
import { removeSuppression } from '../../models/notifications/mail/suppressions.js';
import { pruneNotifications } from '../../models/notifications/push/prune.js';
import { changeSettings } from '../../models/notifications/settings/changeSettings.js';
import { notify } from '../../models/notifications/notify.js';
import '../../models/wireAreas.js';
import { notifications as alerts } from '../../models/platform/notifications.js';
import { publishAlert } from '../../models/platform/alerts/publishAlert.js';
import type { NotificationDeliveryInput } from '../../workflows/contracts/notificationDelivery.js';
import { eventually } from '../support/eventually.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { until, withServer } from '../support/rudeMailServer.js';
import { aMember, anInvoice, aWorld, type World } from '../support/world.js';

let catcher: Catcher;
let receiver: Receiver;
let world: World;

beforeAll(async () => {
  receiver = await startReceiver({
    host: '127.0.0.1',
    port: 0,
    domain: 'bounces.example.org',
    mailOf: mailOfReturnPath,
    onReport: (mailId, { status }) => recordBounce(mailId, status),
  });
  catcher = await startCatcher({ smtpPort: 0, httpPort: 0, bouncesPort: receiver.port });
  Object.assign(config, { SMTP_URL: catcher.smtpUrl, BOUNCES_DOMAIN: 'bounces.example.org' });
});
beforeEach(async () => {
  catcher.mails.clear();
  world = await aWorld({ members: 1 });
});
afterAll(async () => {
  closeMail();
  await catcher.close();
  await receiver.close();
  await closeOwner();
  await sequelize.close();
});

/** Runs the delivery step of the organization's mail. */
const deliver = (): Promise<number | null> =>
  new MockActivityEnvironment().run<[NotificationDeliveryInput], number | null, typeof deliverNextPage>(
    deliverNextPage,
    { organizationId: world.organizationId, channel: 'email' },
  );
const mails = () => catcher.mails.list();
const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);

async function anIssuedInvoice(): Promise<string> {
  const id = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  await inWorld(() => notify(notifications.invoice_issued, [id]));
  return id;
}

/** Inserts a notification that is not critical. @returns its id */
async function aPost(differences: { title?: string; event?: string; subjectId?: string; recipientId?: string } = {}) {
  const {
    title = 'A post',
    event = 'platform_alert',
    subjectId = uuidv7(),
    recipientId = world.member.userId,
  } = differences;
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, body, target_url, subject_type, subject_id)
     VALUES ($1, $2, $3, 'something_new', $4, $5, 'Read it.', '/posts/1', 'post', $6) RETURNING id`,
    [world.organizationId, recipientId, `post:${uuidv7()}`, event, title, subjectId],
  );
  return row?.id as string;
}

const deliveries = () =>
  asOwner<{ outcome: string | null; reason: string | null; mail_id: string | null }>(
    'SELECT outcome, reason, mail_id FROM notification_deliveries WHERE organization_id = $1 ORDER BY notification_id',
    [world.organizationId],
  );
const messages = () =>
  asOwner<{ id: string; message_id: string; outcome: string | null; status: string | null }>(
    'SELECT id, message_id, outcome, status FROM mail_messages WHERE organization_id = $1 ORDER BY id',
    [world.organizationId],
  );
const suppressions = () =>
  asOwner<{ id: string; email: string; reason: string; status: string }>(
    'SELECT id, email, reason, status FROM mail_suppressions WHERE organization_id = $1',
    [world.organizationId],
  );
const moveTo = (email: string) => asOwner('UPDATE users SET email = $2 WHERE id = $1', [world.member.userId, email]);

test('a mail shows the notification in the color of the organization, with a link to its target', async () => {
  await asOwner(
    `UPDATE organizations SET name = 'Northern <Star>', primary_color = 'hsl(120, 100%, 25%)' WHERE id = $1`,
    [world.organizationId],
  );
  await aPost({ title: 'The <b>house</b> is open' });
  await deliver();
  const [mail] = mails();
  expect(mail).toMatchObject({
    to: [world.member.email],
    subject: 'The <b>house</b> is open',
    from: 'no-reply@example.org',
    return_path: expect.stringMatching(/^b\.[0-9a-f]{62}@bounces\.example\.org$/),
  });
  expect(mail?.text).toContain(`Open: ${config.frontendUrl}/posts/1`);
  expect(mail?.html).toContain('background:#008000;color:#ffffff');
  expect(mail?.html).toContain('The &lt;b&gt;house&lt;/b&gt; is open');
  expect(mail?.headers['from']).toContain('Northern <Star>');
  expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
  expect(await deliveries()).toEqual([expect.objectContaining({ outcome: 'sent', reason: null })]);
  expect(await messages()).toEqual([expect.objectContaining({ outcome: 'sent' })]);
});

test('a critical mail has no unsubscribe link', async () => {
  await anIssuedInvoice();
  await deliver();
  expect(mails()).toHaveLength(1);
  expect(mails()[0]?.headers).not.toHaveProperty('list-unsubscribe');
});

test('a repeated step sends no second mail', async () => {
  await anIssuedInvoice();
  await Promise.all([deliver(), deliver()]);
  await deliver();
  expect(mails()).toHaveLength(1);
});

/** The state after a worker died three minutes ago, when it had claimed the mail. */
async function diedAfterClaim(): Promise<void> {
  await asOwner(
    `UPDATE mail_messages SET outcome = NULL, concluded_at = NULL, claimed_at = now() - interval '3 minutes' WHERE organization_id = $1`,
    [world.organizationId],
  );
  await asOwner(
    `UPDATE notification_deliveries SET outcome = NULL, concluded_at = NULL, claimed_at = now() - interval '3 minutes'
      WHERE organization_id = $1`,
    [world.organizationId],
  );
}

test('a mail with an unknown outcome is not sent again and is shown as unknown', async () => {
  await anIssuedInvoice();
  await deliver();
  await diedAfterClaim();
  await deliver();
  expect(mails()).toHaveLength(1);
  expect(await deliveries()).toEqual([expect.objectContaining({ outcome: 'unknown', reason: 'no_answer' })]);
  expect(await messages()).toEqual([expect.objectContaining({ outcome: 'unknown' })]);
});

test('a mail that must not be missed is sent again as the same message', async () => {
  await aPost();
  await deliver();
  await asOwner('UPDATE mail_messages SET repeatable = true WHERE organization_id = $1', [world.organizationId]);
  await diedAfterClaim();
  await deliver();
  expect(mails()).toHaveLength(2);
  expect(new Set(mails().map(({ message_id }) => message_id)).size).toBe(1);
  expect(await deliveries()).toEqual([expect.objectContaining({ outcome: 'sent' })]);
});

test('a mail whose acceptance is never confirmed is sent again at growing intervals for one day', async () => {
  const { id } = await inPlatform(() =>
    publishAlert({ title: 'Maintenance', body: 'Tonight.', audience: 'everyone' }, world.admin.userId),
  );
  await inWorld(() => notify(alerts.platform_alert, [id], { to: [world.member.userId], actor: null }));
  let receivedMails = 0;
  const converse = until(/^\.$/, (socket) => {
    receivedMails += 1;
    socket.destroy();
  });
  const waits = async () =>
    (
      await asOwner<{ waits: number }>(
        `SELECT round(extract(epoch FROM due_at - now()))::int AS waits FROM notification_deliveries
          WHERE organization_id = $1`,
        [world.organizationId],
      )
    ).map((one) => one.waits);
  const letTimePass = () =>
    asOwner(
      `WITH mailed AS (UPDATE mail_messages SET claimed_at = now() - interval '3 minutes' WHERE organization_id = $1)
       UPDATE notification_deliveries SET due_at = now(), claimed_at = now() - interval '3 minutes' WHERE organization_id = $1`,
      [world.organizationId],
    );
  await withServer(converse, async () => {
    for (const expected of [30, 60, 120]) {
      await deliver();
      expect((await waits())[0]).toBeGreaterThan(expected - 10);
      await letTimePass();
    }
    expect([receivedMails, (await messages()).length]).toEqual([3, 1]);
    await asOwner(
      `UPDATE notification_deliveries SET first_tried_at = now() - interval '25 hours' WHERE organization_id = $1`,
      [world.organizationId],
    );
    await deliver();
    expect(await deliveries()).toMatchObject([{ outcome: 'unknown', reason: 'no_answer' }]);
    await letTimePass();
    await deliver();
    expect(receivedMails).toBe(4);
  });
});

test('an address that the server does not know gets no mail until an admin removes the suppression', async () => {
  await moveTo('bounce-5.1.1@example.org');
  await anIssuedInvoice();
  await deliver();
  await eventually(suppressions, (list) => list.length > 0);
  expect(await suppressions()).toEqual([
    expect.objectContaining({ email: 'bounce-5.1.1@example.org', reason: 'unknown_address', status: '5.1.1' }),
  ]);
  expect(await messages()).toEqual([expect.objectContaining({ outcome: 'bounced', status: '5.1.1' })]);
  expect(await deliveries()).toEqual([expect.objectContaining({ outcome: 'failed', reason: 'gateway_rejected' })]);
  await anIssuedInvoice();
  await deliver();
  expect(mails()).toHaveLength(1);
  expect((await deliveries())[1]).toMatchObject({ outcome: 'suppressed', reason: 'address_suppressed' });
  await inWorld(async () => removeSuppression((await suppressions())[0]?.id as string));
  await moveTo('bounce-5.2.2@example.org');
  await anIssuedInvoice();
  await deliver();
  expect(mails()).toHaveLength(2);
});

test('other permanent bounces suppress an address after two within seven days', async () => {
  await moveTo('bounce-5.2.2@twice.example.org');
  const send = async (count: number) => {
    await anIssuedInvoice();
    await deliver();
    await eventually(messages, (list) => list.filter(({ outcome }) => outcome === 'bounced').length === count);
  };
  await send(1);
  await asOwner(`UPDATE mail_messages SET bounced_at = now() - interval '8 days' WHERE organization_id = $1`, [
    world.organizationId,
  ]);
  await send(2);
  expect(await suppressions()).toEqual([]);
  const [first] = await messages();
  await recordBounce(first?.id as string, '5.1.1');
  expect(await suppressions()).toEqual([]);
  await send(3);
  expect(await suppressions()).toEqual([expect.objectContaining({ reason: 'hard_bounces', status: '5.2.2' })]);
});

test('two concurrent bounce reports suppress the address', async () => {
  await moveTo('twice@example.org');
  await anIssuedInvoice();
  await anIssuedInvoice();
  await deliver();
  await Promise.all((await messages()).map(({ id }) => recordBounce(id, '5.7.1')));
  expect(await suppressions()).toHaveLength(1);
});

test('temporary failures and a report about an unknown mail suppress no address', async () => {
  await moveTo('bounce-4.4.7@example.org');
  await anIssuedInvoice();
  await anIssuedInvoice();
  await deliver();
  await eventually(messages, (list) => list.every(({ outcome }) => outcome === 'bounced'));
  await recordBounce(uuidv7(), '5.1.1');
  expect(await suppressions()).toEqual([]);
});

test('an address that the server refuses while it takes the mail is suppressed too', async () => {
  await moveTo('reject-550@example.org');
  await anIssuedInvoice();
  await anIssuedInvoice();
  await deliver();
  expect(await messages()).toEqual([
    expect.objectContaining({ outcome: 'failed', status: '5.0.0' }),
    expect.objectContaining({ outcome: 'failed', status: '5.0.0' }),
  ]);
  expect(await suppressions()).toHaveLength(1);
});

test('a mail that its server defers is due again later and delays no other mail', async () => {
  await moveTo('reject-451@example.org');
  await anIssuedInvoice();
  const other = await aMember(world.organizationId, world.chapterId);
  await aPost({ recipientId: other.userId });
  expect(await deliver()).toBeGreaterThan(20);
  expect(mails()).toHaveLength(1);
  expect(await messages()).toHaveLength(1);
  expect((await deliveries()).map(({ outcome }) => outcome)).toEqual([null, 'sent']);
});

test('without a mail server every mail stays due and none counts as attempted', async () => {
  await anIssuedInvoice();
  await anIssuedInvoice();
  const { SMTP_URL } = config;
  closeMail();
  Object.assign(config, { SMTP_URL: 'smtp://127.0.0.1:1' });
  await expect(deliver()).rejects.toMatchObject({ name: 'MailUnavailable' });
  expect(await messages()).toEqual([]);
  closeMail();
  Object.assign(config, { SMTP_URL });
  await deliver();
  expect(mails()).toHaveLength(2);
});

test('above twenty mails an hour mails are batched into one, except critical ones', async () => {
  for (let n = 0; n < 25; n += 1) await aPost({ title: `Post ${n}` });
  for (let n = 0; n < 2; n += 1) await anIssuedInvoice();
  const seconds = await deliver();
  expect(mails()).toHaveLength(22);
  expect(seconds === null || seconds > 60).toBe(true);
  expect((await deliveries()).filter(({ outcome }) => outcome === null)).toEqual(
    Array.from({ length: 5 }, () => ({ outcome: null, reason: 'batched', mail_id: null })),
  );
  await asOwner(`UPDATE mail_messages SET claimed_at = now() - interval '61 minutes' WHERE organization_id = $1`, [
    world.organizationId,
  ]);
  await asOwner('UPDATE notification_deliveries SET due_at = now() WHERE organization_id = $1', [world.organizationId]);
  await deliver();
  expect(mails()).toHaveLength(23);
  const [joined] = mails().slice(-1);
  expect(joined?.subject).toBe('Post 20 (and 4 more)');
  for (const n of [20, 21, 22, 23, 24]) expect(joined?.text).toContain(`- Post ${n}, `);
  expect(
    (await deliveries()).filter(({ reason }) => reason === 'batched').every(({ outcome }) => outcome === 'sent'),
  ).toBe(true);
});

test('mails of one thread wait two minutes and are joined, and each thread has its own mail', async () => {
  const [thread, other] = [uuidv7(), uuidv7()];
  for (const subjectId of [thread, other]) await aPost({ event: 'mention', subjectId });
  const seconds = await deliver();
  expect([mails().length, seconds && seconds > 60 && seconds <= 120]).toEqual([0, true]);
  await asOwner(`UPDATE notification_deliveries SET due_at = now() + interval '1 second' WHERE organization_id = $1`, [
    world.organizationId,
  ]);
  // A later notification joins the waiting mail.
  await aPost({ event: 'mention', subjectId: thread });
  await asOwner(
    'UPDATE notification_deliveries SET due_at = now() WHERE organization_id = $1 AND due_at < now() + $2::interval',
    [world.organizationId, '10 seconds'],
  );
  await deliver();
  expect(Object.fromEntries(mails().map(({ subject, headers }) => [headers['references'], subject]))).toEqual({
    [`<post.${other}@example.org>`]: 'A post',
    [`<post.${thread}@example.org>`]: 'A post (and 1 more)',
  });
  expect(mails()).toHaveLength(2);
});

test('mails older than a year are deleted', async () => {
  await anIssuedInvoice();
  await anIssuedInvoice();
  await deliver();
  const [old, recent] = await messages();
  await asOwner(`UPDATE mail_messages SET claimed_at = now() - interval '366 days' WHERE id = $1`, [old?.id]);
  await inPlatform(() => pruneNotifications(100));
  expect((await messages()).map(({ id }) => id)).toEqual([recent?.id]);
  expect((await deliveries()).map(({ mail_id }) => mail_id)).toEqual([null, recent?.id]);
});

describe("an organization's own mail server", () => {
  const smtp = () => ({
    host: 'localhost',
    port: Number(new URL(catcher.smtpUrl).port),
    security: 'starttls' as const,
    username: 'club',
    password: 'secret',
  });
  const sender = { from_name: 'The Club', from_email: 'club@example.net', reply_to: 'office@example.net' };
  const allow = (allowed: boolean) => Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: allowed });
  afterEach(() => allow(false));

  test('the own server sends mail in the name of the organization', async () => {
    allow(true);
    await inWorld(() => changeSettings({ smtp: smtp(), sender }));
    await anIssuedInvoice();
    await deliver();
    expect(mails()).toMatchObject([
      { from: 'club@example.net', headers: { from: 'The Club <club@example.net>', 'reply-to': 'office@example.net' } },
    ]);
    expect(JSON.stringify(await asOwner('SELECT * FROM notification_settings'))).not.toContain('"secret"');
    expect(JSON.stringify(await asOwner('SELECT * FROM audit_log'))).not.toContain('"secret"');
  });

  test('a server on a private address is not reached, while mail of other organizations is sent', async () => {
    await inWorld(() => changeSettings({ smtp: smtp(), sender }));
    await anIssuedInvoice();
    await expect(deliver()).rejects.toMatchObject({ name: 'MailUnavailable', reason: 'forbidden_address' });
    expect(await deliveries()).toEqual([{ outcome: null, reason: null, mail_id: null }]);
    world = await aWorld({ members: 1 });
    await anIssuedInvoice();
    await deliver();
    expect(mails()).toMatchObject([{ from: 'no-reply@example.org' }]);
  });

  const failures = () =>
    asOwner<{ step: string; answer: string; since: Date }>(
      'SELECT step, answer, since FROM mail_server_failures WHERE organization_id = $1',
      [world.organizationId],
    );
  const readAdminNotices = () =>
    asOwner(
      `SELECT title, body, requires_action, resolved_at IS NOT NULL AS resolved FROM notifications
        WHERE organization_id = $1 AND recipient_id = $2 AND notification_type = 'mail_server_failing'`,
      [world.organizationId, world.admin.userId],
    );
  const readAccountNotices = () =>
    asOwner(`SELECT email, facts FROM account_notices WHERE kind = 'mail_server_failing' AND user_id = $1`, [
      world.admin.userId,
    ]);
  const setAgo = (table: string, column: string, interval: string) =>
    asOwner(`UPDATE ${table} SET ${column} = now() - $2::interval WHERE organization_id = $1`, [
      world.organizationId,
      interval,
    ]);

  test('a server that accepts no mail is recorded, reported to admins when it lasts, and cleared once it accepts mail', async () => {
    await inWorld(() => changeSettings({ smtp: { ...smtp(), port: 1 }, sender }));
    allow(true);
    await anIssuedInvoice();
    await expect(deliver()).rejects.toMatchObject({ reason: 'ECONNREFUSED' });
    expect(await failures()).toMatchObject([{ step: 'connect', answer: 'ECONNREFUSED' }]);
    expect(await readAdminNotices()).toEqual([]);
    await setAgo('mail_server_failures', 'since', '6 minutes');
    const [before] = await failures();
    for (const _ of [1, 2]) await expect(deliver()).rejects.toMatchObject({ reason: 'ECONNREFUSED' });
    expect(await failures()).toEqual([before]);
    expect(await readAccountNotices()).toEqual([
      { email: world.admin.email, facts: expect.objectContaining({ reason: 'connect: ECONNREFUSED' }) },
    ]);
    expect(await readAdminNotices()).toMatchObject([
      { body: expect.stringContaining('localhost fails at the step connect'), requires_action: true, resolved: false },
    ]);

    await asOwner('UPDATE notification_settings SET smtp_port = $2 WHERE organization_id = $1', [
      world.organizationId,
      smtp().port,
    ]);
    await deliver();
    expect(await failures()).toEqual([]);
    expect(await readAdminNotices()).toMatchObject([{ resolved: true }]);
    expect(mails().map(({ to, from }) => [...to, from])).toEqual([[world.member.email, 'club@example.net']]);
  });

  test('a server that refuses one mail is not recorded as failing', async () => {
    allow(true);
    await inWorld(() => changeSettings({ smtp: smtp(), sender }));
    await moveTo('reject-452@example.org');
    await anIssuedInvoice();
    await deliver();
    expect(await deliveries()).toMatchObject([{ outcome: null }]);
    expect(await failures()).toEqual([]);
  });

  test('mail for a failing own server is tried for one day from the first attempt and then fails', async () => {
    await inWorld(() => changeSettings({ smtp: { ...smtp(), port: 1 }, sender }));
    allow(true);
    await anIssuedInvoice();
    await setAgo('notifications', 'created_at', '3 days');
    await expect(deliver()).rejects.toMatchObject({ name: 'MailUnavailable' });
    await setAgo('notification_deliveries', 'first_tried_at', '23 hours');
    await expect(deliver()).rejects.toMatchObject({ name: 'MailUnavailable' });
    await setAgo('notification_deliveries', 'first_tried_at', '25 hours');
    await deliver();
    expect(await deliveries()).toEqual([expect.objectContaining({ outcome: 'failed', reason: 'gateway_rejected' })]);
    expect(mails()).toEqual([]);
  });

  test('a sender address in a domain of the platform needs no own server', async () => {
    Object.assign(config, { MAIL_DOMAINS: ['example.net'] });
    await inWorld(() => changeSettings({ sender }));
    await anIssuedInvoice();
    await deliver();
    Object.assign(config, { MAIL_DOMAINS: [] });
    await anIssuedInvoice();
    await deliver();
    expect(mails().map(({ headers }) => [headers['from'], headers['reply-to']])).toEqual([
      ['The Club <club@example.net>', 'office@example.net'],
      ['The Club <no-reply@example.org>', 'office@example.net'],
    ]);
  });
});
