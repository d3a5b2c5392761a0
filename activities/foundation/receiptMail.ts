import { letterPdf } from '../../gateways/documents/letter.js';
import type { ReceiptMail } from '../../models/foundation/receipts/mailReceipt.js';
import {
  composeReceiptDocument,
  composeReceiptMail,
  receiptFileName,
} from '../../models/foundation/receipts/receiptTexts.js';
import type { MailSender } from '../../models/notifications/settings/readMailSender.js';
import { organizationMail } from '../notifications/organizationMail.js';

/** Draws the receipt, and composes the mail that has it as an attachment. */
export async function receiptMail(sending: MailSender, { receipt, email, firstName, mailId, messageId }: ReceiptMail) {
  const content = await letterPdf(composeReceiptDocument(receipt));
  const attachment = { fileName: receiptFileName(receipt), mediaType: 'application/pdf', content };
  const letter = { to: email, mailId, messageId, firstName, timezone: 'UTC', attachments: [attachment] };
  return organizationMail(sending, { ...letter, ...composeReceiptMail(receipt) });
}
