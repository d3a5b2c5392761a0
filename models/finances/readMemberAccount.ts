import { currentOrganization, oneRow } from '../database/rows.js';
import type { MemberAccount } from '../organizations/upstream.js';

/**
 * Reads a member's debt and available credit in the chapter of this membership, and the credit that would move along
 * with a transfer.
 */
export const readMemberAccount = (membershipId: string): Promise<MemberAccount> =>
  oneRow<MemberAccount>(
    `SELECT coalesce(due.count, 0) AS open_invoices, coalesce(due.cents, 0)::bigint AS due_cents,
            k.cents AS credit_cents, greatest(0, k.cents - coalesce(due.cents, 0))::bigint AS moving_credit_cents,
            (SELECT count(*)::int FROM payment_plan_requests r
              WHERE r.organization_id = m.organization_id AND r.membership_id = m.id AND r.status = 'pending') AS open_plan_requests
       FROM memberships m
      CROSS JOIN LATERAL (SELECT app.credit_balance(m.chapter_id, m.id) AS cents) k
       LEFT JOIN LATERAL (SELECT count(*)::int AS count, sum(i.balance_due_cents) AS cents FROM chapter_invoices i
          WHERE i.organization_id = m.organization_id AND i.membership_id = m.id AND i.balance_due_cents > 0) due ON true
      WHERE m.organization_id = $1 AND m.id = $2`,
    [currentOrganization(), membershipId],
  );
