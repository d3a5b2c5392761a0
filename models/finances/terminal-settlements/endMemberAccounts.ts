import { config } from '../../../config.js';
import { terminalSettlement } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { settleMemberDebts } from '../settleMemberDebts.js';

/**
 * What the end of memberships means for their money, in the transaction that ends them: debts are paid from each one's credit, and
 * what is left of it is on record as to be given back.
 */
export async function endMemberAccounts(membershipIds: readonly string[]): Promise<void> {
  await settleMemberDebts(membershipIds);
  const begun = await rows<{ id: string }>(
    `INSERT INTO terminal_settlements (organization_id, chapter_id, membership_id, refunds_at, requested_by)
     SELECT m.organization_id, m.chapter_id, m.id, now() + $3 * interval '1 minute', $4 FROM memberships m
      WHERE m.organization_id = $1 AND m.id = ANY ($2)
        -- a member of many has none: asked of those alone who ever had any
        AND EXISTS (SELECT FROM chapter_account_credits c
          WHERE c.organization_id = m.organization_id AND c.chapter_id = m.chapter_id AND c.membership_id = m.id)
        AND app.credit_balance(m.chapter_id, m.id) > 0
     ON CONFLICT DO NOTHING RETURNING id`,
    [currentOrganization(), membershipIds, config.CREDIT_REFUND_DELAY_MINUTES, currentScope().origin.userId],
  );
  for (const { id } of begun) await enqueue(terminalSettlement, { settlementId: id });
}
