import { currentOrganization, rows } from '../../database/rows.js';

/**
 * Locks the invoices of a charge's payments, and the invoices that were paid with credit from those payments. All
 * invoices are locked before any credit, in the order that all transactions use. An invoice that is paid from such
 * credit only now is locked later. An invoice whose dues are being reissued has its payments on another invoice, which
 * is locked as well. If that causes a deadlock, Postgres aborts one of the transactions, and the event is applied
 * again.
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
