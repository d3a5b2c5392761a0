/** Steps that mail a donation receipt to the donor. */
import { inTenant } from '../../models/database/tenancy.js';
import {
  cancelReceiptMail,
  claimReceiptMail,
  concludeReceiptMail,
  type ReceiptMail,
  type ReceiptMailStep,
} from '../../models/foundation/receipts/mailReceipt.js';
import { type MailResult, releaseMails } from '../../models/notifications/mail/claimMails.js';
import { type MailSender, readMailSender } from '../../models/notifications/settings/readMailSender.js';
import type { DonationReceiptInput } from '../../workflows/contracts/donationReceipt.js';
import { mayHaveBeenSent, outcomeOfFailure } from '../notifications/mailResults.js';
import { withMailOf } from '../notifications/organizationMail.js';
import { receiptMail } from './receiptMail.js';

/**
 * Mails a receipt outside of any transaction, and records the outcome. After a crash in between, the receipt is mailed
 * again with the same Message-ID: a duplicate receipt is better than none.
 * @throws MailUnavailable when a later attempt may succeed
 */
export const mailDonationReceipt = async ({
  organizationId,
  receiptId,
}: DonationReceiptInput): Promise<ReceiptMailStep> => {
  const { sending, mail } = await inTenant(organizationId, async () => ({
    sending: await readMailSender(),
    mail: await claimReceiptMail(receiptId),
  }));
  if (!('mailId' in mail)) return mail;
  const result = await send(organizationId, sending, mail);
  return inTenant(organizationId, () => concludeReceiptMail(mail, result));
};

/** Closes a mail that must not be sent any more. */
export const cancelDonationReceipt = ({ organizationId, receiptId }: DonationReceiptInput): Promise<void> =>
  inTenant(organizationId, () => cancelReceiptMail(receiptId));

async function send(organizationId: string, sending: MailSender, mail: ReceiptMail): Promise<MailResult> {
  const { mailId } = mail;
  try {
    const outgoing = await receiptMail(sending, mail);
    await withMailOf(organizationId, sending, (port) => port.send(outgoing));
    return { mailId, outcome: 'sent' };
  } catch (error) {
    const outcome = outcomeOfFailure(error, mail);
    if (outcome) return outcome;
    if (!mayHaveBeenSent(error)) await inTenant(organizationId, () => releaseMails([mailId], 0));
    throw error;
  }
}
