import { config } from '../../../config.js';
import { terminalSettlement } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { settleMemberDebts } from '../settleMemberDebts.js';

/**
 * Settles the money of ended memberships, in the transaction that ends them: pays debts from each member's credit, and
 * records the remaining credit for a refund.
 */
export async function endMemberAccounts(membershipIds: readonly string[]): Promise<void> {
  await settleMemberDebts(membershipIds);
  const settlements = await rows<{ id: string }>(
    `INSERT INTO terminal_settlements (organization_id, chapter_id, membership_id, refunds_at, requested_by)
     SELECT m.organization_id, m.chapter_id, m.id, now() + $3 * interval '1 minute', $4 FROM memberships m
      WHERE m.organization_id = $1 AND m.id = ANY ($2)
        -- most members never had credit: compute the balance only for those who did
        AND EXISTS (SELECT FROM chapter_account_credits c
          WHERE c.organization_id = m.organization_id AND c.chapter_id = m.chapter_id AND c.membership_id = m.id)
        AND app.credit_balance(m.chapter_id, m.id) > 0
     ON CONFLICT DO NOTHING RETURNING id`,
    [currentOrganization(), membershipIds, config.CREDIT_REFUND_DELAY_MINUTES, currentScope().origin.userId],
  );
  for (const { id } of settlements) await enqueue(terminalSettlement, { settlementId: id });
}
