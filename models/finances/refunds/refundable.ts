/** What can be given back of an invoice, payment by payment. */
import { currentOrganization, rows } from '../../database/rows.js';
import { holdStanding } from '../adjustments/invoiceToChange.js';
import type { ChapterInvoice } from '../invoices/ChapterInvoice.js';

export interface Refundable {
  paymentId: string;
  /** Null: it was paid by hand, and goes back by hand. */
  captureId: string | null;
  /** Of the payment, within what is left of its charge. */
  cents: number;
}

/**
 * Holds the charges of an invoice's payments and the invoice, and says what of each may go back, the newest first. What became
 * credit is not among it.
 * @throws Refusal not_found, invoice_void
 */
export async function holdRefundable(invoiceId: string): Promise<{ invoice: ChapterInvoice; payments: Refundable[] }> {
  // The charges first: everybody locks in this order.
  await rows(
    `SELECT c.id FROM processor_captures c
      WHERE c.organization_id = $1 AND c.id IN (SELECT k.id FROM payment_records p ${CAPTURE} WHERE p.organization_id = $1 AND p.invoice_id = $2)
      ORDER BY c.id FOR UPDATE`,
    [currentOrganization(), invoiceId],
  );
  const invoice = await holdStanding(invoiceId);
  const payments = await rows<Refundable>(
    `SELECT * FROM (
       SELECT p.id AS "paymentId", k.id AS "captureId", greatest(0, least(app.refundable_of_payment(p.organization_id, p.id),
                app.refundable_of_capture(p.organization_id, k.id))) AS cents
         FROM payment_records p ${CAPTURE}
        WHERE p.organization_id = $1 AND p.invoice_id = $2 AND p.status = 'succeeded') payments
      WHERE cents > 0 ORDER BY "paymentId" DESC`,
    [currentOrganization(), invoiceId],
  );
  return { invoice, payments };
}

/** SQL: the charge `k` that took payment `p`, where a processor did. */
const CAPTURE = `LEFT JOIN processor_captures k ON k.organization_id = p.organization_id AND k.processor_id = p.processor_id
  AND k.intent_id = p.intent_id`;
