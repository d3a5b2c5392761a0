/** Disputes: amounts that banks withdraw and return. */
import { oneRow } from '../../../../models/database/rows.js';
import { uuidv7 } from '../../../../models/database/uuid.js';
import { recordDisputes, type ReportedDispute } from '../../../../models/finances/disputes/recordDisputes.js';
import { type Charge, leftOf } from './charge.js';
import type { AccountStage, Does } from './stage.js';

export const disputing: Does<'dispute' | 'bank decides'> = {
  dispute: (stage, { pick, percent }) => dispute(stage, stage.charge(pick), percent),
  'bank decides': (stage, { pick, percent }) => bankDecides(stage, pick, percent),
};

/** A payer disputes a charge: the bank withdraws the money at once. */
async function dispute(stage: AccountStage, charge: Charge | undefined, percent: number): Promise<void> {
  if (!charge || charge.disputes.length === 2) return;
  const amountCents = Math.ceil((leftOf(charge) * percent) / 100);
  if (amountCents <= 0) return;
  const gatewayDisputeId = `dp_${uuidv7()}`;
  charge.disputes.push({
    gatewayDisputeId,
    reference: {},
    amountCents,
    currency: 'usd',
    reason: 'fraudulent',
    decision: 'none',
    evidenceDueAt: null,
    openedAt: new Date(),
    movements: [],
  });
  await bankMoves(stage, charge, charge.disputes.at(-1) as ReportedDispute);
}

/** A dispute is won, perhaps in part, or a won dispute is lost. */
async function bankDecides(stage: AccountStage, pick: number, percent: number): Promise<void> {
  const all = stage.charges.flatMap((charge) => charge.disputes.map((dispute) => ({ charge, dispute })));
  const { charge, dispute } = all.at(-1 - (pick % Math.max(1, Math.min(4, all.length)))) ?? {};
  if (!charge || !dispute || dispute.movements.length === 5) return;
  const last = dispute.movements.at(-1);
  const cents = last?.kind === 'reinstated' ? last.amountCents : Math.ceil(((last?.amountCents ?? 0) * percent) / 100);
  // The bank does not withdraw an amount that was refunded in the meantime.
  if (last?.kind === 'reinstated' && cents > leftOf(charge)) return;
  await bankMoves(stage, charge, dispute, cents);
}

async function bankMoves(
  stage: AccountStage,
  charge: Charge,
  dispute: ReportedDispute,
  amountCents = dispute.amountCents,
): Promise<void> {
  const n = dispute.movements.length;
  dispute.movements.push({
    kind: n % 2 === 0 ? 'withdrawn' : 'reinstated',
    amountCents,
    movementId: `txn_${dispute.gatewayDisputeId}_${n}`,
    at: new Date(Date.now() + n),
  });
  dispute.decision = n === 0 ? 'none' : n % 2 === 0 ? 'lost' : 'won';
  const { now } = await oneRow<{ now: string }>('SELECT clock_timestamp()::text AS now');
  await recordDisputes(stage.processorId, charge.intent, { askedAt: now, disputes: charge.disputes });
}
