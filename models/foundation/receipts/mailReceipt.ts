/**
 * Sends receipts by mail. The row of a receipt says whether a mail still has to be sent; a claim, stored before
 * sending, shows which mail may already have been sent.
 */
import type { DonationReceiptOutcome } from '../../../workflows/contracts/donationReceipt.js';
import { changeRow, computed, now } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { claimMails, type MailResult, readMailClaim, recordMails } from '../../notifications/mail/claimMails.js';
import { isSuppressed } from '../../notifications/mail/suppressions.js';
import { RECEIPT_FIRST_NAME } from './receiptName.js';
import type { ReceiptFacts } from './receiptTexts.js';
import { TaxReceipt } from './TaxReceipt.js';

/** A mail that the caller must send now. */
export interface ReceiptMail {
  receiptId: string;
  /** The number of this mail among the mails of the receipt, beginning with 1. */
  count: number;
  mailId: string;
  messageId: string;
  email: string;
  firstName: string;
  requestedAt: Date;
  receipt: ReceiptFacts;
}

/**
 * Result when there is no mail to send now: either the mail is over, or an earlier attempt may still be sending it and
 * the caller must wait.
 */
export type ReceiptMailStep = { over: DonationReceiptOutcome } | { seconds: number };

/** Returns the Message-ID of a mail of a receipt. */
export const messageIdOf = (receiptId: string, count: number): string =>
  count === 1 ? `receipt.${receiptId}` : `receipt.${receiptId}.${count}`;
const MESSAGE_ID = /^receipt\.([0-9a-f-]{36})(?:\.(\d+))?$/;

/**
 * Claims the mail of a receipt before it is sent. If it is unknown whether an earlier attempt sent the mail, it is sent
 * again with the same Message-ID once the claim of that attempt has expired.
 * @throws RowMissing
 */
export async function claimReceiptMail(receiptId: string): Promise<ReceiptMail | ReceiptMailStep> {
  const row = await loadIfExists(TaxReceipt, receiptId);
  if (!row) throw new RowMissing('There is no such receipt.');
  const { mail_status } = row;
  // No process runs for a receipt whose mail was never requested.
  if (mail_status === 'not_requested') return { over: 'cancelled' };
  if (mail_status !== 'waiting') return { over: mail_status };
  const { mail_count: count, mail_requested_at: requestedAt } = row;
  const { email, firstName } = await recipientOf(row);
  // An erased donor has no address.
  if (email === null || (await isSuppressed(email)))
    return { over: await closeMail(receiptId, count, 'undeliverable') };
  const messageId = messageIdOf(receiptId, count);
  const mail = { messageId, recipientId: null, email, critical: true, repeatable: true, notificationIds: [] };
  const mailId = (await claimMails([mail])).get(messageId);
  if (!mailId) return readClaim(receiptId, count, messageId);
  const { number, amount_cents, currency, code, printed } = row;
  const receipt = { number, amount_cents, currency, code, printed };
  return { receiptId, count, mailId, messageId, email, firstName, requestedAt, receipt };
}

/**
 * Returns the address of the donor, null once the donor was erased, and the first name on the receipt; an annual receipt
 * has the donor's.
 */
async function recipientOf({
  donor_id,
  donation_id,
}: TaxReceipt): Promise<{ email: string | null; firstName: string }> {
  const recipient = await firstRow<{ email: string | null; firstName: string }>(
    `SELECT o.email, CASE WHEN d.id IS NULL THEN o.first_name ELSE ${RECEIPT_FIRST_NAME} END AS "firstName" FROM donors o
       LEFT JOIN donations d ON d.organization_id = o.organization_id AND d.id = $3
      WHERE o.organization_id = $1 AND o.id = $2`,
    [currentOrganization(), donor_id, donation_id],
  );
  if (!recipient) throw new RowMissing('There is no such donor.');
  return recipient;
}

async function readClaim(receiptId: string, count: number, messageId: string): Promise<ReceiptMailStep> {
  const claim = await readMailClaim(messageId);
  // Another attempt has released the claim in the meantime: try again in a second.
  if (!claim) return { seconds: 1 };
  if (claim.outcome === null) return { seconds: claim.seconds };
  return { over: await closeMail(receiptId, count, claim.outcome === 'sent' ? 'mailed' : 'undeliverable') };
}

/** Records the outcome of a mail. If a bounce was recorded before, that outcome stays. */
export async function concludeReceiptMail(
  { receiptId, count, messageId }: ReceiptMail,
  result: MailResult,
): Promise<ReceiptMailStep> {
  await recordMails([result]);
  return readClaim(receiptId, count, messageId);
}

/**
 * Records the outcome of one mail of a receipt, unless another mail was requested since. A mail that was sent counts as
 * mailed, even if the receipt was replaced or the mail cancelled in the meantime.
 * @returns the status of the mail
 */
async function closeMail(
  receiptId: string,
  count: number,
  status: 'mailed' | 'undeliverable',
): Promise<DonationReceiptOutcome> {
  const mailed = { mail_status: 'mailed', mailed_at: now } as const;
  const failed = { mail_status: computed(`CASE mail_status WHEN 'waiting' THEN 'undeliverable' ELSE mail_status END`) };
  const row = await changeRow(TaxReceipt, { id: receiptId, mail_count: count }, status === 'mailed' ? mailed : failed);
  const closed = row?.mail_status;
  return closed === undefined || closed === 'waiting' || closed === 'not_requested' ? status : closed;
}

/** Cancels the mail of a receipt if it was not sent yet. */
export async function cancelReceiptMail(receiptId: string): Promise<void> {
  await changeRow(TaxReceipt, { id: receiptId, mail_status: 'waiting' }, { mail_status: 'cancelled' });
}

/**
 * Marks the mail of a receipt as undeliverable, because it bounced after a mail server had accepted it. Only the newest
 * mail of the receipt counts.
 */
export async function recordBouncedReceipt(messageId: string): Promise<void> {
  const [, receiptId, count = '1'] = MESSAGE_ID.exec(messageId) ?? [];
  if (!receiptId) return;
  await rows(
    `UPDATE tax_receipts SET mail_status = 'undeliverable'
      WHERE organization_id = $1 AND id = $2 AND mail_count = $3 AND mail_status = 'mailed'`,
    [currentOrganization(), receiptId, Number(count)],
  );
}
