/**
 * A dispute that ends with money for the payer is told twice by PayPal: as what it moved, and as a refund of its capture. It is one money: the
 * refund's where we have asked for it, else the dispute's.
 */
import type { Refund } from '@paypal/paypal-server-sdk';
import { centsOf, refundOf } from './answers.js';
import { readMarks } from './marks.js';

/** So far apart PayPal may say that two things were which are one. */
const TOGETHER_MS = 3_600_000;

/** What a dispute took from the seller. */
export interface Taken {
  movementId: string;
  /** When the dispute began: from then on its money may be shown among the refunds, and nobody else gives any back. */
  since: Date;
  at: Date;
  cents: number;
  /** What the payer got by the dispute's outcome: PayPal takes less where it gives a part of its fee back. */
  payerCents: number | null;
}

export const isOurs = ({ customId }: Refund): boolean => readMarks(customId)['refund_id'] !== undefined;

/** Which refund is the same money as which movement of a dispute, each once. */
export function settled(taken: readonly Taken[], refunds: readonly Refund[]): Map<Taken, Refund> {
  const left = new Set(refunds.filter((refund) => refundOf(refund).status !== 'failed'));
  const pairs = new Map<Taken, Refund>();
  for (const one of taken) {
    const same = [...left].find((refund) => isSame(one, refund));
    if (!same) continue;
    left.delete(same);
    pairs.set(one, same);
  }
  return pairs;
}

function isSame({ since, at, cents, payerCents }: Taken, { amount, createTime }: Refund): boolean {
  const made = Date.parse(createTime ?? '');
  const isThen = made >= since.getTime() - TOGETHER_MS && made <= at.getTime() + TOGETHER_MS;
  return isThen && [cents, payerCents].includes(centsOf(amount));
}
