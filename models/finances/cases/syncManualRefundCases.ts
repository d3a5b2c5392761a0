/**
 * Opens and updates cases about former members' credit that must be refunded by hand. The amount of a case is the
 * credit that remains.
 */
import { editRow, lockForEditIfExists } from '../../database/model/change.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { closeAsAgreed, openCase } from './syncCases.js';
import { auditCase } from './syncUnallocatedCase.js';
import { MoneyCase } from './MoneyCase.js';

const OPEN_CASES_SQL = `
  FROM money_cases k JOIN terminal_settlements s ON s.organization_id = k.organization_id AND s.id = k.settlement_id
 WHERE k.organization_id = $1 AND s.membership_id = ANY ($2) AND k.kind = 'manual_refund_due' AND k.status = 'open'`;

/**
 * Opens the case about a former member's remaining credit. Does nothing if a case is open for an earlier settlement of
 * this member: a member who rejoins and leaves again still has a single credit balance. The caller has locked the
 * credit.
 */
export async function openManualRefund(
  settlementId: string,
  membershipId: string,
  remainingCents: number,
): Promise<void> {
  if (await firstRow(`SELECT ${OPEN_CASES_SQL}`, [currentOrganization(), [membershipId]])) return;
  const key = { kind: 'manual_refund_due', processorId: null, gatewayObject: settlementId } as const;
  await openCase({ ...key, amountCents: remainingCents, of: { settlement_id: settlementId } });
}

/**
 * Updates the open cases of these members to their remaining credit. Every function that writes a credit entry calls
 * this afterwards; the insert of the entry has locked the credit.
 */
export async function syncManualRefundCases(membershipIds: readonly (string | null)[]): Promise<void> {
  const due = await rows<{ id: string; remaining: number }>(
    `SELECT k.id, app.credit_held(s.chapter_id, s.membership_id) AS remaining ${OPEN_CASES_SQL} ORDER BY k.id`,
    [currentOrganization(), membershipIds],
  );
  for (const { id, remaining } of due) {
    const open = await lockForEditIfExists(MoneyCase, { id, status: 'open' });
    if (!open || open.amount_cents === remaining) continue;
    if (remaining <= 0) {
      await closeAsAgreed(open);
      continue;
    }
    await editRow(open, { amount_cents: remaining });
    await auditCase(open, 'changed');
  }
}
