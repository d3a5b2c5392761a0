/** Shared steps of all changes to an invoice: lock it, check it, notify its payer. */
import { lockExclusive } from '../../database/model/change.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { requireLive, requireNotBeingPaid } from '../invoices/changeable.js';
import { isBeingPaidSql } from '../invoices/invoice.js';
import { notifications } from '../notifications.js';

/** Locks an invoice that is not void, until the transaction ends. @throws Refusal not_found, invoice_void */
export async function lockLiveInvoice(invoiceId: string): Promise<ChapterInvoice> {
  const invoice = requireFound(await lockExclusive(ChapterInvoice, invoiceId));
  requireLive(invoice);
  return invoice;
}

/**
 * Requires that no pending charge reserves an invoice. The caller has locked it, so that no new charge reserves it
 * meanwhile.
 * @throws Refusal invoice_being_paid
 */
export async function requireNoPendingCharge(invoiceId: string): Promise<void> {
  const { is_being_paid } = await oneRow<{ is_being_paid: boolean }>(
    `SELECT ${isBeingPaidSql('$1', '$2')} AS is_being_paid`,
    [currentOrganization(), invoiceId],
  );
  requireNotBeingPaid(is_being_paid);
}

/**
 * Notifies the payer that the balance of an invoice has changed.
 * @param change id of the change, so that each change of an invoice is notified once
 */
export const notifyPayer = (invoiceId: string, change: string): Promise<void> =>
  notify(notifications.invoice_changed, [invoiceId], { cause: `changed:${change}` });
