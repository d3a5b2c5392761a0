import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { syncManualRefundCases } from '../cases/syncManualRefundCases.js';
import { coverShortfall } from './coverShortfall.js';
import type { Payer } from './payer.js';

interface Reversal extends Payer {
  id: string;
  amount_cents: number;
}

/**
 * Undoes one whole ledger entry by adding a reversing entry. An invoice that the entry paid is due again.
 * @returns the reversal's id
 * @throws Refusal not_found, also if the entry is itself a reversal; credit_already_reversed; credit_not_available if
 * the entry issued credit that was spent since, or if the reversal would give more credit than remains of its payment
 */
export async function reverseCredit(entryId: string, reason: string): Promise<string> {
  // Lock the invoice first, then the credit: all transactions lock in this order.
  await firstRow(
    `SELECT i.id FROM chapter_invoices i JOIN chapter_account_credits c ON c.invoice_id = i.id WHERE c.id = $1 FOR UPDATE OF i`,
    [entryId],
  );
  const reversal = await firstRow<Reversal>(
    `INSERT INTO chapter_account_credits
       (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, invoice_id, payment_record_id, reverses, reason, created_by)
     SELECT organization_id, chapter_id, payer_type, membership_id, 'reversed', amount_cents, invoice_id, payment_record_id, id, $2, $3
       FROM chapter_account_credits WHERE id = $1 AND kind <> 'reversed'
     RETURNING id, amount_cents, chapter_id AS "chapterId", membership_id AS "membershipId"`,
    [entryId, reason, currentScope().origin.userId],
  );
  if (!reversal) throw refuse.not_found();
  await audit({
    action: 'credit.reversed',
    subjectType: 'credit',
    subjectId: entryId,
    after: { reversal_id: reversal.id, amount_cents: reversal.amount_cents, reason },
  });
  const { chapterId, membershipId } = reversal;
  await syncManualRefundCases([membershipId]);
  await coverShortfall({ chapterId, membershipId });
  return reversal.id;
}

/**
 * Reverses the credit that was applied to an invoice, so that its payer has the credit again.
 * @returns the reversed cents
 */
export async function reverseApplied(invoiceId: string, reason: string): Promise<number> {
  const applied = await rows<{ id: string; amount_cents: number }>(
    `SELECT id, amount_cents FROM chapter_account_credits c WHERE organization_id = $1 AND invoice_id = $2 AND kind = 'applied'
        AND NOT EXISTS (SELECT 1 FROM chapter_account_credits r WHERE r.organization_id = $1 AND r.reverses = c.id) ORDER BY id`,
    [currentOrganization(), invoiceId],
  );
  for (const { id } of applied) await reverseCredit(id, reason);
  return applied.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}
