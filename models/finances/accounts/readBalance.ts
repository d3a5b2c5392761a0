import { oneRow } from '../../database/rows.js';

export interface Balance {
  currency: string;
  member_balance_cents: number;
  chapter_balance_cents: number;
  available_credit_cents: number;
  officers_see_amounts: boolean;
}

/** Sums the balances of members' invoices, of chapters' own invoices, and the members' credit, in one statement. */
export function readBalance(membershipIds: string[], chapterIds: string[]): Promise<Balance> {
  return oneRow<Balance>(
    `SELECT coalesce(s.currency, 'usd') AS currency, app.officers_see_amounts(o.id) AS officers_see_amounts,
            (SELECT coalesce(sum(balance_due_cents), 0)::bigint FROM chapter_invoices i
              WHERE i.organization_id = o.id AND i.payer_type = 'member' AND i.membership_id = ANY($1::uuid[])) AS member_balance_cents,
            (SELECT coalesce(sum(balance_due_cents), 0)::bigint FROM chapter_invoices i
              WHERE i.organization_id = o.id AND i.payer_type = 'chapter' AND i.chapter_id = ANY($2::uuid[])) AS chapter_balance_cents,
            (SELECT coalesce(sum(app.credit_balance(m.chapter_id, m.id)), 0)::bigint FROM memberships m
              WHERE m.organization_id = o.id AND m.id = ANY($1::uuid[])) AS available_credit_cents
       FROM organizations o LEFT JOIN org_dues_settings s ON s.organization_id = o.id WHERE o.id = (SELECT app.org_id())`,
    [membershipIds, chapterIds],
  );
}
