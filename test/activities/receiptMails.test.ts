/** Mails with receipts: contents, attachment and outcome, also when a worker dies in between. */
import type net from 'node:net';
import { MockActivityEnvironment } from '@temporalio/testing';
import { cancelDonationReceipt, mailDonationReceipt } from '../../activities/foundation/mailReceipt.js';
import { closeMail } from '../../activities/mail.js';
import { config } from '../../config.js';
import { type Catcher, startCatcher } from '../../development/standins/mail/catcher.js';
import { type Receiver, startReceiver } from '../../gateways/mail/bounces/startReceiver.js';
import { sequelize } from '../../models/database/connection.js';
import { inTenant } from '../../models/database/tenancy.js';
import type { ReceiptMailStep } from '../../models/foundation/receipts/mailReceipt.js';
import { resendReceipt } from '../../models/foundation/receipts/resendReceipt.js';
import { closeOldMails } from '../../models/notifications/mail/claimMails.js';
import { recordBounce } from '../../models/notifications/mail/recordBounce.js';
import { mailOfReturnPath } from '../../models/notifications/mail/returnPath.js';
import '../../models/wireAreas.js';
import type { DonationReceiptInput } from '../../workflows/contracts/donationReceipt.js';
import { documentText } from '../support/documentText.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { aGift, type Gift, move, type ReceiptRow, receiptsOf } from '../support/gifts.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { until, withServer } from '../support/rudeMailServer.js';
import { aWorld, type World } from '../support/world.js';

let catcher: Catcher;
let receiver: Receiver;
let world: World;
let foundation: Foundation;

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
  world = await aWorld({ members: 1 });
  foundation = await aFoundation(world);
});
beforeEach(() => catcher.mails.clear());
afterAll(async () => {
  closeMail();
  await catcher.close();
  await receiver.close();
  await closeOwner();
  await sequelize.close();
});

const run = <T>(step: (input: DonationReceiptInput) => Promise<T>, receiptId: string): Promise<T> =>
  new MockActivityEnvironment().run<[DonationReceiptInput], T, typeof step>(step, {
    organizationId: world.organizationId,
    receiptId,
  });
const send = (receiptId: string): Promise<ReceiptMailStep> => run(mailDonationReceipt, receiptId);
const resend = (receiptId: string) => inTenant(world.organizationId, () => resendReceipt(receiptId));
const lastOf = async (gift: Gift) => (await receiptsOf(gift)).at(-1) as ReceiptRow;
const mails = () => catcher.mails.list();
const messagesTo = (email: string) =>
  asOwner<{ message_id: string; outcome: string | null; recipient_id: string | null }>(
    'SELECT message_id, outcome, recipient_id FROM mail_messages WHERE email = $1 ORDER BY id',
    [email],
  );
const suppressed = (email: string) =>
  asOwner('SELECT reason, status, user_id FROM mail_suppressions WHERE email = $1', [email]);

/** A gift with its receipt. */
async function aReceipt(details = {}) {
  const gift = await aGift(world.organizationId, foundation, details);
  return { gift, id: (await lastOf(gift)).id };
}

/** The state three minutes after a worker died that had claimed the mail. */
const diedAfterClaim = (email: string) =>
  asOwner(
    `UPDATE mail_messages SET outcome = NULL, concluded_at = NULL, claimed_at = now() - interval '3 minutes' WHERE email = $1`,
    [email],
  );

test('the donor gets the receipt as a PDF, from the foundation', async () => {
  const { gift, id } = await aReceipt({ at: '2026-03-04T12:00:00Z' });
  expect(await send(id)).toEqual({ over: 'mailed' });
  const receipt = await lastOf(gift);
  expect(receipt.mail_status).toBe('mailed');
  const [mail] = mails();
  expect(mail).toMatchObject({
    to: [gift.email],
    subject: `Receipt ${receipt.number} for your gift to Alpha Foundation, Inc.`,
    message_id: `<receipt.${id}@example.org>`,
    return_path: expect.stringMatching(/^b\.[0-9a-f]{62}@bounces\.example\.org$/),
    attachments: [{ name: `receipt-${receipt.number}.pdf`, media_type: 'application/pdf' }],
  });
  expect(mail?.headers).toMatchObject({ 'auto-submitted': 'auto-generated' });
  expect(mail?.headers).not.toHaveProperty('list-unsubscribe');
  for (const text of [mail?.text, mail?.html])
    for (const part of [
      'Hello Dana,',
      '$50.00, given on March 4, 2026 to Spring appeal',
      'No goods or services were provided in exchange for this gift.',
      'Alpha Foundation, Inc., EIN 12-3456789',
      '1 Main Street, Springfield',
      `${config.backendUrl}/receipts/${receipt.code}`,
    ])
      expect(text).toContain(part);
  expect(mail?.text).not.toContain('/settings/notifications');
  const pdf = await documentText(Buffer.from(mail?.attachments[0]?.content as string, 'base64'));
  for (const part of [receipt.number, 'Dana Reyes', '12-3456789', 'March 4, 2026', '$50.00', receipt.code])
    expect(pdf).toContain(part);
  expect(await messagesTo(gift.email)).toEqual([{ message_id: `receipt.${id}`, outcome: 'sent', recipient_id: null }]);
});

test('a step that is repeated, or runs twice at once, sends one mail', async () => {
  const { id } = await aReceipt();
  const steps = await Promise.all([send(id), send(id)]);
  // The second attempt waits at most until the claim of the first one expires.
  for (const step of steps)
    if ('seconds' in step) expect(step.seconds).toBeLessThanOrEqual(120);
    else expect(step.over).toBe('mailed');
  expect(await send(id)).toEqual({ over: 'mailed' });
  expect(mails()).toHaveLength(1);
});

test('a mail whose worker died is sent again as the same message', async () => {
  const { gift, id } = await aReceipt();
  await send(id);
  await asOwner("UPDATE tax_receipts SET mail_status = 'waiting' WHERE id = $1", [id]);
  await diedAfterClaim(gift.email);
  // Deliveries of notifications close only their own mails.
  await inTenant(world.organizationId, closeOldMails);
  expect(await send(id)).toEqual({ over: 'mailed' });
  expect(new Set(mails().map(({ message_id }) => message_id))).toEqual(new Set([`<receipt.${id}@example.org>`]));
  expect(mails()).toHaveLength(2);
  expect(await messagesTo(gift.email)).toHaveLength(1);
});

test('names and texts of a gift change neither headers nor layout of the mail', async () => {
  const hostile = 'Eve {{subject}} {amount} <img src=x>';
  await asOwner(
    `UPDATE foundation_configs SET legal_name = $2, mailing_address = $3, receipt_template_overrides = $4 WHERE organization_id = $1`,
    [
      world.organizationId,
      'Alpha\r\nBcc: all@example.org\r\n\r\n<script>',
      '1 {{{legal}}} <b>Street</b>\r\nX-Spam: yes',
      { intro: 'For {donor_name}: {{constructor}} <i>' },
    ],
  );
  const { gift, id } = await aReceipt({ firstName: hostile, lastName: 'Bcc: other@example.org' });
  await send(id);
  await asOwner(
    `UPDATE foundation_configs SET legal_name = 'Alpha Foundation, Inc.', mailing_address = '1 Main Street, Springfield',
            receipt_template_overrides = '{}' WHERE organization_id = $1`,
    [world.organizationId],
  );
  const [mail] = mails();
  expect(mails()).toHaveLength(1);
  expect(mail?.to).toEqual([gift.email]);
  expect(mail?.headers).not.toHaveProperty('bcc');
  expect(mail?.headers).not.toHaveProperty('x-spam');
  expect(mail?.subject).toMatch(/^Receipt \S+ for your gift to Alpha Bcc: all@example\.org <script>$/);
  expect(mail?.html).not.toMatch(/<script>|<img src=x>|<b>Street|<i>/);
  expect(mail?.text).toContain(`Hello ${hostile},`);
  expect(mail?.text).toContain(`For ${hostile} Bcc: other@example.org: {{constructor}} <i>`);
  expect(mail?.text).toContain('1 {{{legal}}} <b>Street</b>');
});

test('an address that the server refuses is undeliverable, and later receipts are not offered to it', async () => {
  const email = 'reject-550@first.example.org';
  const { id } = await aReceipt({ email });
  expect(await send(id)).toEqual({ over: 'undeliverable' });
  expect(await messagesTo(email)).toMatchObject([{ outcome: 'failed' }]);
  await resend(id);
  expect(await send(id)).toEqual({ over: 'undeliverable' });
  expect(await suppressed(email)).toMatchObject([{ reason: 'hard_bounces', user_id: null }]);
  const { gift: next, id: nextId } = await aReceipt({ email });
  expect(await send(nextId)).toEqual({ over: 'undeliverable' });
  expect((await lastOf(next)).mail_status).toBe('undeliverable');
  expect(await messagesTo(email)).toHaveLength(2);
});

test('a mail that bounces later makes the receipt undeliverable and suppresses the address', async () => {
  const email = 'bounce-5.1.1@second.example.org';
  const { gift, id } = await aReceipt({ email });
  await send(id);
  await eventually(
    () => lastOf(gift),
    ({ mail_status }) => mail_status === 'undeliverable',
  );
  expect(await suppressed(email)).toMatchObject([{ reason: 'unknown_address', status: '5.1.1', user_id: null }]);
  await resend(id);
  expect(await send(id)).toEqual({ over: 'undeliverable' });
  expect(mails()).toHaveLength(1);
});

test('a receipt that was superseded or voided before its mail left is not mailed', async () => {
  const { gift, id } = await aReceipt();
  await move(gift, 'returned', 1_000);
  expect(await send(id)).toEqual({ over: 'replaced' });
  const second = await lastOf(gift);
  await move(gift, 'returned', 4_000);
  expect(await send(second.id)).toEqual({ over: 'replaced' });
  expect(mails()).toEqual([]);
});

test('a correction is mailed and names the number that it replaces', async () => {
  const { gift, id } = await aReceipt();
  await send(id);
  await move(gift, 'returned', 1_000);
  const [first, second] = (await receiptsOf(gift)) as [ReceiptRow, ReceiptRow];
  expect(first.mail_status).toBe('mailed');
  expect(await send(second.id)).toEqual({ over: 'mailed' });
  expect(mails().at(-1)).toMatchObject({
    subject: `Corrected receipt ${second.number} for your gift to Alpha Foundation, Inc.`,
    text: expect.stringContaining(`This receipt replaces receipt ${first.number}, which is no longer valid.`),
  });
});

test('a receipt that is mailed again has a Message-ID of its own', async () => {
  const { gift, id } = await aReceipt();
  await expect(resend(id)).rejects.toMatchObject({ code: 'receipt_mail_waiting' });
  await send(id);
  await resend(id);
  expect(await send(id)).toEqual({ over: 'mailed' });
  expect(mails().map(({ message_id }) => message_id)).toEqual([
    `<receipt.${id}@example.org>`,
    `<receipt.${id}.2@example.org>`,
  ]);
  await move(gift, 'returned', 5_000);
  await expect(resend(id)).rejects.toMatchObject({ code: 'receipt_not_valid' });
});

test('a cancelled mail is not sent, and can be requested again', async () => {
  const { id } = await aReceipt();
  await run(cancelDonationReceipt, id);
  await run(cancelDonationReceipt, id);
  expect(await send(id)).toEqual({ over: 'cancelled' });
  expect(mails()).toEqual([]);
  await resend(id);
  expect(await send(id)).toEqual({ over: 'mailed' });
  await run(cancelDonationReceipt, id);
  expect(await send(id)).toEqual({ over: 'mailed' });
});

test('a mail that no server accepts is tried again, and is undeliverable after five days', async () => {
  const { gift, id } = await aReceipt();
  const refuse = (socket: net.Socket) => void socket.end('421 busy\r\n');
  await withServer(refuse, async () => {
    await expect(send(id)).rejects.toMatchObject({ name: 'MailUnavailable' });
    // No server has it, so the next attempt need not wait.
    expect(await messagesTo(gift.email)).toEqual([]);
    expect((await lastOf(gift)).mail_status).toBe('waiting');
    await asOwner("UPDATE tax_receipts SET mail_requested_at = now() - interval '6 days' WHERE id = $1", [id]);
    expect(await send(id)).toEqual({ over: 'undeliverable' });
  });
  expect(await suppressed(gift.email)).toEqual([]);
});

test('a mail that a server may have accepted is repeated as the same message when its claim has expired', async () => {
  const { gift, id } = await aReceipt();
  const dropAfterData = until(/^\.$/, (socket) => socket.destroy());
  await withServer(dropAfterData, async () => {
    await expect(send(id)).rejects.toMatchObject({ name: 'MailUnavailable', mayHaveBeenSent: true });
    expect(await send(id)).toMatchObject({ seconds: expect.any(Number) });
  });
  await diedAfterClaim(gift.email);
  expect(await send(id)).toEqual({ over: 'mailed' });
  expect(await messagesTo(gift.email)).toMatchObject([{ message_id: `receipt.${id}`, outcome: 'sent' }]);
});
