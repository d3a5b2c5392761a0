import { currentOrganization, firstRow } from '../database/rows.js';

/** Whether a payment of members, or a refund to them, is under way whose outcome nobody knows. */
export async function moneyIsOnItsWay(membershipIds: readonly string[]): Promise<boolean> {
  const found = await firstRow(
    `SELECT WHERE EXISTS (SELECT FROM refunds r
        WHERE r.organization_id = $1 AND r.credit_membership_id = ANY ($2) AND r.finished_at IS NULL)
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
  return found !== null;
}
