/**
 * Matches disputes and refunds. PayPal reports a dispute that the payer wins twice: as a movement of the dispute, and
 * as a refund of its capture. It counts once: as the refund if we requested it, or else as the dispute.
 */
import type { Refund } from '@paypal/paypal-server-sdk';
import { centsOf, refundOf } from './answers.js';
import { readMarks } from './marks.js';

/**
 * Maximum difference between the times that PayPal reports for a dispute movement and for the refund of the same money.
 */
const TIME_TOLERANCE_MS = 3_600_000;

/** A withdrawal of disputed money from the seller. */
export interface DisputeWithdrawal {
  movementId: string;
  /**
   * The beginning of the dispute: from then on its money may be listed among the refunds, and no other refund is
   * possible.
   */
  since: Date;
  at: Date;
  cents: number;
  /** The amount that the payer got by the outcome. PayPal withdraws less if it returns a part of its fee. */
  payerCents: number | null;
}

export const isOurs = ({ customId }: Refund): boolean => readMarks(customId)['refund_id'] !== undefined;

/** Pairs withdrawals with the refunds that are the same money, each refund once. */
export function matchRefunds(
  withdrawals: readonly DisputeWithdrawal[],
  refunds: readonly Refund[],
): Map<DisputeWithdrawal, Refund> {
  const remaining = new Set(refunds.filter((refund) => refundOf(refund).status !== 'failed'));
  const pairs = new Map<DisputeWithdrawal, Refund>();
  for (const one of withdrawals) {
    const match = [...remaining].find((refund) => isSameMoney(one, refund));
    if (!match) continue;
    remaining.delete(match);
    pairs.set(one, match);
  }
  return pairs;
}

function isSameMoney({ since, at, cents, payerCents }: DisputeWithdrawal, { amount, createTime }: Refund): boolean {
  const createdAt = Date.parse(createTime ?? '');
  const isInPeriod = createdAt >= since.getTime() - TIME_TOLERANCE_MS && createdAt <= at.getTime() + TIME_TOLERANCE_MS;
  return isInPeriod && [cents, payerCents].includes(centsOf(amount));
}
