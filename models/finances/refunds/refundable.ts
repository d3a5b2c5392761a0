/** Finds what can be refunded of an invoice, payment by payment. */
import { currentOrganization, rows } from '../../database/rows.js';
import { lockLiveInvoice } from '../adjustments/invoiceToChange.js';
import type { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { CAPTURE_JOIN, refundablePaymentsSql } from './refundableSql.js';

export interface RefundablePayment {
  paymentId: string;
  /** The charge of the payment; null for a payment made by hand, which is also refunded by hand. */
  captureId: string | null;
  /** Refundable amount of the payment, limited by what remains of its charge. */
  cents: number;
}

/**
 * Locks an invoice and the charges of its payments.
 * @returns the refundable payments, newest first, without the parts that became credit
 * @throws Refusal not_found, invoice_void
 */
export async function lockRefundable(
  invoiceId: string,
): Promise<{ invoice: ChapterInvoice; payments: RefundablePayment[] }> {
  // Lock the charges first, then the invoice: all transactions lock in this order.
  await rows(
    `SELECT c.id FROM processor_captures c
      WHERE c.organization_id = $1 AND c.id IN (SELECT k.id FROM payment_records p ${CAPTURE_JOIN} WHERE p.organization_id = $1 AND p.invoice_id = $2)
      ORDER BY c.id FOR UPDATE`,
    [currentOrganization(), invoiceId],
  );
  const invoice = await lockLiveInvoice(invoiceId);
  const payments = await rows<RefundablePayment>(`${refundablePaymentsSql('$1', '$2')} ORDER BY "paymentId" DESC`, [
    currentOrganization(),
    invoiceId,
  ]);
  return { invoice, payments };
}
