/**
 * Matches disputes with refunds. If a payer wins a dispute, PayPal reports the money twice: as a movement of the
 * dispute, and as a refund of the capture. It is counted once: as a refund if we requested the refund, otherwise as a
 * dispute.
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
   * The beginning of the dispute. From then on PayPal may list the disputed money as a refund, and no other refund of
   * the payment is possible.
   */
  since: Date;
  at: Date;
  cents: number;
  /**
   * The amount that the payer received when the dispute was decided; null if PayPal does not report it. It is larger
   * than the amount that PayPal withdraws from the seller if PayPal returns a part of its fee.
   */
  payerCents: number | null;
}

export const isOurs = ({ customId }: Refund): boolean => readMarks(customId)['refund_id'] !== undefined;

/**
 * Pairs each withdrawal with the refund that PayPal lists for the same money. A refund is paired with one withdrawal
 * only.
 */
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
