import { donationReceipt } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { editRow, lockForEdit, now } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { foundationErrors } from '../errors.js';
import { TaxReceipt } from './TaxReceipt.js';

/**
 * Requests that a valid receipt be mailed again. The new mail gets its own Message-ID.
 * @throws Refusal not_found, receipt_not_valid, receipt_mail_waiting
 */
export async function resendReceipt(receiptId: string): Promise<void> {
  const receipt = await lockForEdit(TaxReceipt, receiptId);
  const { status, mail_status, mail_count, number } = receipt;
  if (status !== 'valid') throw foundationErrors.receipt_not_valid();
  if (mail_status === 'waiting') throw foundationErrors.receipt_mail_waiting();
  await editRow(receipt, { mail_status: 'waiting', mail_count: mail_count + 1, mail_requested_at: now });
  await audit({ action: 'tax_receipt.resent', subjectType: 'tax_receipt', subjectId: receiptId, after: { number } });
  // The workflow of an earlier mail may still run and be about to end. The signal makes it send this mail as well.
  await enqueue(donationReceipt, { receiptId }, { signal: 'changed' });
}
