import { currentOrganization, oneRow } from '../database/rows.js';
import type { MemberAccount } from '../organizations/above.js';

/** What a member owes, and the credit that is left, in the chapter of this membership. */
export const readMemberAccount = (membershipId: string): Promise<MemberAccount> =>
  oneRow<MemberAccount>(
    `SELECT coalesce(due.count, 0) AS open_invoices, coalesce(due.cents, 0)::bigint AS due_cents,
            app.credit_balance(m.chapter_id, m.id) AS credit_cents
       FROM memberships m
       LEFT JOIN LATERAL (SELECT count(*)::int AS count, sum(i.balance_due_cents) AS cents FROM chapter_invoices i
          WHERE i.organization_id = m.organization_id AND i.membership_id = m.id AND i.balance_due_cents > 0) due ON true
      WHERE m.organization_id = $1 AND m.id = $2`,
    [currentOrganization(), membershipId],
  );
