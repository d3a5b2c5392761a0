import { auditAll } from '../database/audit.js';
import { currentScope } from '../database/connection.js';
import { currentOrganization, rows } from '../database/rows.js';
import { syncManualRefundCases } from './cases/syncManualRefundCases.js';

interface AppliedCredit {
  membership_id: string;
  invoice_id: string;
  amount_cents: number;
}

/**
 * Pays members' open invoices from each member's own credit, the oldest due first, in the caller's transaction. The
 * number of statements does not depend on the number of members (spec: a terminal membership status settles the debt
 * before anything is refunded). An invoice that a pending charge reserves is skipped: if credit paid it as well, the
 * remittance of that charge would be flagged, and the charge would pay none of its invoices.
 * @returns the cents that were applied
 */
export async function settleMemberDebts(membershipIds: readonly string[]): Promise<number> {
  if (membershipIds.length === 0) return 0;
  const unpaidInvoices = await rows<{ membership_id: string }>(
    `SELECT membership_id FROM chapter_invoices
      WHERE organization_id = $1 AND membership_id = ANY ($2) AND balance_due_cents > 0 ORDER BY id FOR UPDATE`,
    [currentOrganization(), membershipIds],
  );
  if (unpaidInvoices.length === 0) return 0;
  const ids = [...new Set(unpaidInvoices.map(({ membership_id }) => membership_id))];
  // Lock the credit in the order of membership ids, so that two concurrent settlements cannot deadlock.
  await rows(
    `SELECT app.lock_credit(chapter_id, id) FROM (
       SELECT chapter_id, id FROM memberships WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id OFFSET 0) m`,
    [currentOrganization(), ids],
  );
  const applied = await rows<AppliedCredit>(
    `WITH members AS MATERIALIZED (
       SELECT id, chapter_id, app.credit_balance(chapter_id, id) AS available FROM memberships
        WHERE organization_id = $1 AND id = ANY ($2))
     INSERT INTO chapter_account_credits
       (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, invoice_id, reason, created_by)
     SELECT $1, chapter_id, 'member', membership_id, 'applied', least(balance_due_cents, available - before), id,
            'The membership ended: what was due was paid from credit.', $3
       FROM (SELECT i.id, i.chapter_id, i.membership_id, i.balance_due_cents, m.available,
                    coalesce(sum(i.balance_due_cents) OVER (PARTITION BY i.membership_id ORDER BY i.due_date, i.id
                      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
               FROM members m
               JOIN chapter_invoices i ON i.organization_id = $1 AND i.membership_id = m.id AND i.chapter_id = m.chapter_id
              WHERE m.available > 0 AND i.balance_due_cents > 0 AND NOT EXISTS (SELECT FROM chapter_remittance_allocations a
                WHERE a.organization_id = $1 AND a.invoice_id = i.id AND a.reserved_by_attempt_id IS NOT NULL)) due
      WHERE available > before
     RETURNING membership_id, invoice_id, amount_cents`,
    [currentOrganization(), ids, currentScope().origin.userId],
  );
  await auditAll(
    ids.flatMap((id) => {
      const memberEntries = applied.filter(({ membership_id }) => membership_id === id);
      if (memberEntries.length === 0) return [];
      const after = { applied: memberEntries.map(({ invoice_id, amount_cents }) => ({ invoice_id, amount_cents })) };
      return [{ action: 'credit.settled_debt', subjectType: 'membership', subjectId: id, after }];
    }),
  );
  if (applied.length > 0) await syncManualRefundCases(ids);
  return applied.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}
