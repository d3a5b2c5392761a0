import { currentOrganization, firstRow } from '../database/rows.js';

/**
 * Returns whether a payment or a refund of these members is pending. A pending refund of a payment counts for every
 * member who holds credit from that payment, because it decides how much of the credit can be refunded.
 */
export async function hasPendingPayments(membershipIds: readonly string[]): Promise<boolean> {
  const row = await firstRow(
    `SELECT FROM chapter_account_credits c
       JOIN refunds r ON r.organization_id = c.organization_id AND r.payment_record_id = c.payment_record_id AND r.finished_at IS NULL
      WHERE c.organization_id = $1 AND c.membership_id = ANY ($2)
     UNION ALL
     SELECT FROM chapter_invoices i
      WHERE i.organization_id = $1 AND i.membership_id = ANY ($2) AND (
        EXISTS (SELECT FROM payment_attempts t
          WHERE t.organization_id = $1 AND t.invoice_id = i.id AND t.status = 'pending')
        OR EXISTS (SELECT FROM chapter_remittance_allocations a
          WHERE a.organization_id = $1 AND a.invoice_id = i.id AND a.reserved_by_attempt_id IS NOT NULL)
        OR EXISTS (SELECT FROM refunds r WHERE r.organization_id = $1 AND r.invoice_id = i.id AND r.finished_at IS NULL))
      LIMIT 1`,
    [currentOrganization(), membershipIds],
  );
  return row !== null;
}
