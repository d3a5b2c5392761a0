/**
 * The steps of the workflow that refunds a former member's credit. They run each time the workflow wakes; the rows hold
 * the whole state.
 */
import { audit } from '../../database/audit.js';
import { editRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { isTerminal, type MembershipStatus } from '../../organizations/vocabulary.js';
import type { ChargeState } from '../attempts/chargeOfAttempt.js';
import { openManualRefund } from '../cases/syncManualRefundCases.js';
import { readTotalCredit } from '../credit/payer.js';
import { lockCharges, refundAllCredit } from '../credit/refundCredit.js';
import { hasPendingPayments } from '../hasPendingPayments.js';
import { notifications } from '../notifications.js';
import { settleMemberDebts } from '../settleMemberDebts.js';
import { TerminalSettlement } from './TerminalSettlement.js';

type Status = TerminalSettlement['status'];

/** The next step of the workflow: wait until the next check, or end. */
export type SettlementStep =
  | { seconds: number; stage: 'waiting' | 'refunding' }
  | { over: 'refunded' | 'kept' | 'cancelled' };

/** Advances a settlement as far as possible now. Repeated calls are safe. @throws RowMissing */
export async function followSettlement(settlementId: string): Promise<SettlementStep> {
  const settlement = await lockForEditIfExists(TerminalSettlement, settlementId);
  if (!settlement) throw new RowMissing('There is no such settlement.');
  const { status, membership_id: membershipId, chapter_id: chapterId } = settlement;
  if (status === 'refunded' || status === 'kept' || status === 'cancelled') return { over: status };
  const member = await lockMember(membershipId);
  const { due_in, look_in } = await readSettlementTimes(settlementId);
  const payer = { chapterId, membershipId };
  if (status === 'waiting') {
    if (!isTerminal(member.status)) return { over: await endSettlement(settlement, 'cancelled') };
    if (due_in > 0) return { seconds: due_in, stage: 'waiting' };
    if (await hasPendingPayments([membershipId])) return { seconds: look_in, stage: 'waiting' };
    await lockCharges(payer);
    await settleMemberDebts([membershipId]);
    const requestedBy = settlement.requested_by ?? member.user_id;
    const cents = await refundAllCredit(payer, { reason: 'The membership has ended.', requestedBy });
    if (cents === 0) return { over: await completeSettlement(settlement) };
    await editRow(settlement, { status: 'refunding' });
    await auditSettlement(settlement, 'refunding', cents);
  }
  if (await hasPendingPayments([membershipId])) return { seconds: look_in, stage: 'refunding' };
  return { over: await completeSettlement(settlement) };
}

/**
 * Completes a settlement. Credit that remains came from no charge, or its refund failed: an administrator refunds it by
 * hand.
 */
async function completeSettlement(settlement: TerminalSettlement): Promise<'refunded' | 'kept'> {
  const { chapter_id: chapterId, membership_id: membershipId } = settlement;
  const remaining = await readTotalCredit({ chapterId, membershipId });
  const outcome = await endSettlement(settlement, remaining > 0 ? 'kept' : 'refunded');
  if (outcome === 'refunded') return outcome;
  await openManualRefund(settlement.id, membershipId, remaining);
  await notify(notifications.credit_left, [settlement.id], { actor: null });
  return outcome;
}

async function endSettlement<Over extends Status>(settlement: TerminalSettlement, outcome: Over): Promise<Over> {
  await editRow(settlement, { status: outcome, finished_at: now });
  await auditSettlement(settlement, outcome);
  return outcome;
}

const auditSettlement = ({ membership_id }: TerminalSettlement, verb: Status, cents?: number): Promise<void> =>
  audit({
    action: `credit.settlement_${verb}`,
    subjectType: 'membership',
    subjectId: membership_id,
    after: cents === undefined ? {} : { amount_cents: cents },
  });

const lockMember = (membershipId: string) =>
  oneRow<{ status: MembershipStatus; user_id: string }>(
    'SELECT status, user_id FROM memberships WHERE organization_id = $1 AND id = $2 FOR SHARE',
    [currentOrganization(), membershipId],
  );

/** Reads the seconds until the refunds begin, and until the next check; the checks become rarer over time. */
const readSettlementTimes = (settlementId: string) =>
  oneRow<{ due_in: number; look_in: number }>(
    `SELECT ceil(extract(epoch FROM refunds_at - now()))::int AS due_in,
            least(3600, greatest(2, ceil(extract(epoch FROM now() - created_at) / 4)))::int AS look_in
       FROM terminal_settlements WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), settlementId],
  );

/**
 * Cancels a settlement when its workflow is cancelled, so that the credit stays. Pending refunds continue. @returns
 * false when it is too late to cancel
 */
export async function cancelSettlement(settlementId: string): Promise<boolean> {
  const settlement = await lockForEditIfExists(TerminalSettlement, settlementId);
  if (settlement?.status !== 'waiting') return false;
  await endSettlement(settlement, 'cancelled');
  return true;
}

/** Reports for each settlement whether its refunds have moved money; unknown ids are left out. */
export async function readSettlementMovements(
  settlementIds: readonly string[],
): Promise<ReadonlyMap<string, ChargeState>> {
  const settlements = await rows<{ id: string; moved: ChargeState }>(
    `SELECT s.id, CASE WHEN s.status IN ('waiting', 'cancelled') THEN 'no' WHEN bool_or(r.status = 'succeeded') THEN 'yes'
                 WHEN bool_or(r.finished_at IS NULL) THEN 'unknown' ELSE 'no' END AS moved
       FROM terminal_settlements s
       LEFT JOIN LATERAL (
         SELECT r.status, r.finished_at FROM chapter_invoices i JOIN refunds r ON r.organization_id = i.organization_id AND r.invoice_id = i.id
          WHERE i.organization_id = s.organization_id AND i.membership_id = s.membership_id AND r.of_credit AND r.credit_membership_id IS NULL
            AND r.created_at >= s.created_at
         UNION ALL
         SELECT r.status, r.finished_at FROM refunds r
          WHERE r.organization_id = s.organization_id AND r.credit_membership_id = s.membership_id AND r.created_at >= s.created_at) r ON true
      WHERE s.organization_id = $1 AND s.id = ANY ($2) GROUP BY s.id, s.status`,
    [currentOrganization(), settlementIds],
  );
  return new Map(settlements.map(({ id, moved }) => [id, moved]));
}
