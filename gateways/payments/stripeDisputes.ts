/** Translates the disputes of Stripe. */
import type StripeSdk from 'stripe';
import { referenceOf } from './events.js';
import type { ChargeDispute, DisputeMovement } from './port.js';

const DECISIONS: Readonly<Record<string, ChargeDispute['decision']>> = {
  won: 'won',
  lost: 'lost',
  warning_closed: 'won',
  prevented: 'won',
};

export function disputeOf(dispute: StripeSdk.Dispute): ChargeDispute {
  const intent = typeof dispute.payment_intent === 'object' ? dispute.payment_intent : null;
  const dueBy = dispute.evidence_details?.due_by;
  const decision = DECISIONS[dispute.status] ?? 'none';
  return {
    gatewayDisputeId: dispute.id,
    reference: referenceOf(intent?.metadata),
    amountCents: dispute.amount,
    currency: dispute.currency,
    reason: dispute.reason,
    decision,
    evidenceDueAt: dueBy && decision === 'none' ? new Date(dueBy * 1000) : null,
    openedAt: new Date(dispute.created * 1000),
    movements: dispute.balance_transactions.flatMap(movementsOf),
  };
}

/** Returns the movements of a balance transaction: the amount that was withdrawn or reinstated, and its fee. */
function movementsOf({ id, amount, fee, created }: StripeSdk.BalanceTransaction): DisputeMovement[] {
  const movement = { movementId: id, at: new Date(created * 1000) };
  const kind = amount < 0 ? 'withdrawn' : 'reinstated';
  return [
    ...(amount === 0 ? [] : [{ ...movement, kind, amountCents: Math.abs(amount) } as const]),
    ...(fee === 0 ? [] : [{ ...movement, kind: 'fee', amountCents: fee } as const]),
  ];
}
