import { audit } from '../database/audit.js';
import { currentScope } from '../database/connection.js';
import { currentOrganization, firstRow, rows } from '../database/rows.js';
import { lockCredit } from './credit/payer.js';

/**
 * Pays a member's open invoices from the member's own credit, the oldest due first, in the open transaction
 * (spec: a terminal membership status settles the debt before anything is refunded).
 * @returns the cents that were applied
 */
export async function settleMemberDebt(membershipId: string): Promise<number> {
  const member = await firstRow<{ chapter_id: string }>('SELECT chapter_id FROM memberships WHERE id = $1', [
    membershipId,
  ]);
  if (!member) return 0;
  await rows(
    `SELECT id FROM chapter_invoices WHERE organization_id = $1 AND membership_id = $2 AND balance_due_cents > 0
      ORDER BY id FOR UPDATE`,
    [currentOrganization(), membershipId],
  );
  await lockCredit({ chapterId: member.chapter_id, membershipId });
  const applied = await rows<{ invoice_id: string; amount_cents: number }>(
    `INSERT INTO chapter_account_credits
       (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, invoice_id, reason, created_by)
     SELECT $1, chapter_id, 'member', $2, 'applied', least(balance_due_cents, available - before), id,
            'The membership ended: what was due was paid from credit.', $4
       FROM (SELECT id, chapter_id, balance_due_cents, app.credit_balance($3, $2) AS available,
                    coalesce(sum(balance_due_cents) OVER (ORDER BY due_date, id
                      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
               FROM chapter_invoices
              WHERE organization_id = $1 AND membership_id = $2 AND chapter_id = $3 AND balance_due_cents > 0) due
      WHERE available > before
     RETURNING invoice_id, amount_cents`,
    [currentOrganization(), membershipId, member.chapter_id, currentScope().origin.userId],
  );
  if (applied.length === 0) return 0;
  await audit({
    action: 'credit.settled_debt',
    subjectType: 'membership',
    subjectId: membershipId,
    after: { applied: applied.map(({ invoice_id, amount_cents }) => ({ invoice_id, amount_cents })) },
  });
  return applied.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}
