import { currentOrganization, rows } from '../../database/rows.js';

/**
 * Locks the invoices of a charge's payments, and the invoices that were paid with credit from those payments. All
 * invoices are locked before any credit, as in all transactions. If an invoice is void, its dues may have been reissued
 * and its payments moved to another invoice meanwhile; a second pass locks that invoice. A deadlock that remains
 * possible is harmless: Postgres aborts one transaction, and the event is applied again.
 */
export async function lockChargedInvoices(intentId: string): Promise<void> {
  const locked = await lockInvoices(intentId);
  if (locked.some(({ status }) => status === 'void')) await lockInvoices(intentId);
}

const lockInvoices = (intentId: string): Promise<{ status: string }[]> =>
  rows<{ status: string }>(
    `WITH payments AS (
       SELECT p.id, p.invoice_id FROM payment_records p WHERE p.organization_id = $1 AND p.intent_id = $2)
     SELECT i.status FROM chapter_invoices i
      WHERE i.organization_id = $1 AND i.id IN (
        SELECT invoice_id FROM payments
        UNION
        SELECT applied.invoice_id FROM payments
          JOIN chapter_account_credits c ON c.organization_id = $1 AND c.payment_record_id = payments.id AND c.kind IN ('issued', 'moved_in')
          JOIN chapter_account_credits applied ON applied.organization_id = $1 AND applied.chapter_id = c.chapter_id
           AND applied.membership_id IS NOT DISTINCT FROM c.membership_id AND applied.kind = 'applied')
      ORDER BY i.id FOR UPDATE`,
    [currentOrganization(), intentId],
  );
