import { currentOrganization, rows } from '../../database/rows.js';

/**
 * The invoices of a charge's payments, and those that their payers paid from credit where such a payment became credit:
 * all of them before any credit, in the order in which everybody locks. One that is paid from credit only now is locked
 * later; one whose dues were issued anew in that moment has its payments on another by then, which is locked too. Should that meet somebody the other way round, Postgres ends one of the two, and an event is applied again.
 */
export async function lockChargedInvoices(intentId: string): Promise<void> {
  const locked = await lockThem(intentId);
  if (locked.some(({ status }) => status === 'void')) await lockThem(intentId);
}

const lockThem = (intentId: string): Promise<{ status: string }[]> =>
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
