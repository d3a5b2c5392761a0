/** What the process of a member's last credit does whenever it wakes: the rows say all of it. */
import { audit } from '../../database/audit.js';
import { editRow, lockIfThere, now } from '../../database/model/change.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { isTerminal, type MembershipStatus } from '../../organizations/vocabulary.js';
import { openManualRefund } from '../cases/keepManualRefunds.js';
import { heldCredit } from '../credit/payer.js';
import { holdCharges, refundAllCredit } from '../credit/refundCredit.js';
import { moneyIsOnItsWay } from '../moneyIsOnItsWay.js';
import { told } from '../notifications.js';
import { settleMemberDebts } from '../settleMemberDebts.js';
import { TerminalSettlement } from './TerminalSettlement.js';

type Status = TerminalSettlement['status'];

/** A settlement as its process goes on: until the next look, or over. */
export type SettlementStep =
  | { seconds: number; stage: 'waiting' | 'refunding' }
  | { over: 'refunded' | 'kept' | 'cancelled' };

/** Takes a settlement as far as it can go now. Run again, it finds that done. @throws RowMissing */
export async function followSettlement(settlementId: string): Promise<SettlementStep> {
  const settlement = await lockIfThere(TerminalSettlement, settlementId);
  if (!settlement) throw new RowMissing('There is no such settlement.');
  const { status, membership_id: membershipId, chapter_id: chapterId } = settlement;
  if (status === 'refunded' || status === 'kept' || status === 'cancelled') return { over: status };
  const member = await memberOf(membershipId);
  const { due_in, look_in } = await momentsOf(settlementId);
  const payer = { chapterId, membershipId };
  if (status === 'waiting') {
    if (!isTerminal(member.status)) return { over: await end(settlement, 'cancelled') };
    if (due_in > 0) return { seconds: due_in, stage: 'waiting' };
    if (await moneyIsOnItsWay([membershipId])) return { seconds: look_in, stage: 'waiting' };
    await holdCharges(payer);
    await settleMemberDebts([membershipId]);
    const requestedBy = settlement.requested_by ?? member.user_id;
    const cents = await refundAllCredit(payer, { reason: 'The membership has ended.', requestedBy });
    if (cents === 0) return { over: await close(settlement) };
    await editRow(settlement, { status: 'refunding' });
    await note(settlement, 'refunding', cents);
  }
  if (await moneyIsOnItsWay([membershipId])) return { seconds: look_in, stage: 'refunding' };
  return { over: await close(settlement) };
}

/** What is left now came by no charge, or was refused: somebody gives it back by hand. */
async function close(settlement: TerminalSettlement): Promise<'refunded' | 'kept'> {
  const { chapter_id: chapterId, membership_id: membershipId } = settlement;
  const left = await heldCredit({ chapterId, membershipId });
  const over = await end(settlement, left > 0 ? 'kept' : 'refunded');
  if (over === 'refunded') return over;
  await openManualRefund(settlement.id, membershipId, left);
  await notify(told.credit_left, [settlement.id], { actor: null });
  return over;
}

async function end<Over extends Status>(settlement: TerminalSettlement, over: Over): Promise<Over> {
  await editRow(settlement, { status: over, finished_at: now });
  await note(settlement, over);
  return over;
}

const note = ({ membership_id }: TerminalSettlement, verb: Status, cents?: number): Promise<void> =>
  audit({
    action: `credit.settlement_${verb}`,
    subjectType: 'membership',
    subjectId: membership_id,
    after: cents === undefined ? {} : { amount_cents: cents },
  });

const memberOf = (membershipId: string) =>
  oneRow<{ status: MembershipStatus; user_id: string }>(
    'SELECT status, user_id FROM memberships WHERE organization_id = $1 AND id = $2 FOR SHARE',
    [currentOrganization(), membershipId],
  );

/** Seconds until it begins; and until the next look, which are the longer the longer it has taken. */
const momentsOf = (settlementId: string) =>
  oneRow<{ due_in: number; look_in: number }>(
    `SELECT ceil(extract(epoch FROM refunds_at - now()))::int AS due_in,
            least(3600, greatest(2, ceil(extract(epoch FROM now() - created_at) / 4)))::int AS look_in
       FROM terminal_settlements WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), settlementId],
  );

/** What cancelling its process does: the credit stays. What is on its way back is on its way. */
export async function callSettlementOff(settlementId: string): Promise<boolean> {
  const settlement = await lockIfThere(TerminalSettlement, settlementId);
  if (settlement?.status !== 'waiting') return false;
  await end(settlement, 'cancelled');
  return true;
}

/** Whether money has moved: what it gave back is in refunds of its own. */
export async function settlementMoved(settlementId: string): Promise<'yes' | 'no' | 'unknown'> {
  const found = await firstRow<{ moved: 'yes' | 'no' | 'unknown' }>(
    `SELECT CASE WHEN s.status IN ('waiting', 'cancelled') THEN 'no' WHEN bool_or(r.status = 'succeeded') THEN 'yes'
                 WHEN bool_or(r.finished_at IS NULL) THEN 'unknown' ELSE 'no' END AS moved
       FROM terminal_settlements s
       LEFT JOIN LATERAL (
         SELECT r.status, r.finished_at FROM chapter_invoices i JOIN refunds r ON r.organization_id = i.organization_id AND r.invoice_id = i.id
          WHERE i.organization_id = s.organization_id AND i.membership_id = s.membership_id AND r.of_credit AND r.credit_membership_id IS NULL
            AND r.created_at >= s.created_at
         UNION ALL
         SELECT r.status, r.finished_at FROM refunds r
          WHERE r.organization_id = s.organization_id AND r.credit_membership_id = s.membership_id AND r.created_at >= s.created_at) r ON true
      WHERE s.organization_id = $1 AND s.id = $2 GROUP BY s.id, s.status`,
    [currentOrganization(), settlementId],
  );
  return found?.moved ?? 'no';
}
