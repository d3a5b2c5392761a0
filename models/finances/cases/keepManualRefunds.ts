/** Cases of credit that goes back by hand, as its member has left: each is of what is left of it, whichever way the rest went. */
import { editRow, lockIfThere } from '../../database/model/change.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { agree, openCase } from './keepCase.js';
import { note } from './keepUnallocated.js';
import { MoneyCase } from './MoneyCase.js';

const OPEN = `
  FROM money_cases k JOIN terminal_settlements s ON s.organization_id = k.organization_id AND s.id = k.settlement_id
 WHERE k.organization_id = $1 AND s.membership_id = ANY ($2) AND k.kind = 'manual_refund_due' AND k.status = 'open'`;

/** Opens the case, where no settlement before has: a member who comes back and leaves again has one credit. The caller holds it. */
export async function openManualRefund(settlementId: string, membershipId: string, leftCents: number): Promise<void> {
  if (await firstRow(`SELECT ${OPEN}`, [currentOrganization(), [membershipId]])) return;
  const key = { kind: 'manual_refund_due', processorId: null, gatewayObject: settlementId } as const;
  await openCase({ ...key, amountCents: leftCents, of: { settlement_id: settlementId } });
}

/** Brings the cases to what is left: called by whatever writes credit, whose new entries hold it. */
export async function keepManualRefunds(membershipIds: readonly (string | null)[]): Promise<void> {
  const due = await rows<{ id: string; left: number }>(
    `SELECT k.id, app.credit_held(s.chapter_id, s.membership_id) AS left ${OPEN} ORDER BY k.id`,
    [currentOrganization(), membershipIds],
  );
  for (const { id, left } of due) {
    const open = await lockIfThere(MoneyCase, { id, status: 'open' });
    if (!open || open.amount_cents === left) continue;
    if (left <= 0) {
      await agree(open);
      continue;
    }
    await editRow(open, { amount_cents: left });
    await note(open, 'changed');
  }
}
