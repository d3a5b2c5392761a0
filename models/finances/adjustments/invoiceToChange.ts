/** Shared steps of all changes to an invoice: lock it, check it, notify its payer. */
import { lockExclusive } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { financesErrors } from '../errors.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { notifications } from '../notifications.js';

/** Locks an invoice that is not void, until the transaction ends. @throws Refusal not_found, invoice_void */
export async function lockLiveInvoice(invoiceId: string): Promise<ChapterInvoice> {
  const invoice = requireFound(await lockExclusive(ChapterInvoice, invoiceId));
  if (invoice.status === 'void') throw financesErrors.invoice_void();
  return invoice;
}

/**
 * Refuses a payment of an invoice while a pending charge reserves it; otherwise that charge would pay an invoice that
 * no longer owes the money. The caller has locked the invoice, so that no new charge reserves it meanwhile.
 * @throws Refusal invoice_being_paid
 */
export async function requireNotBeingPaid(invoiceId: string): Promise<void> {
  const reserved = await firstRow(
    `SELECT FROM chapter_remittance_allocations
      WHERE organization_id = $1 AND invoice_id = $2 AND reserved_by_attempt_id IS NOT NULL`,
    [currentOrganization(), invoiceId],
  );
  if (reserved) throw financesErrors.invoice_being_paid();
}

/**
 * Notifies the payer that the balance of an invoice has changed.
 * @param change id of the change, so that each change of an invoice is notified once
 */
export const notifyPayer = (invoiceId: string, change: string): Promise<void> =>
  notify(notifications.invoice_changed, [invoiceId], { cause: `changed:${change}` });
