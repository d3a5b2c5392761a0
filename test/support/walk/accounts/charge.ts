/** A charge as its provider has it: what of it went back, and what banks hold. */
import type { RefundsRead } from '../../../../models/finances/captures/refundCapture.js';
import type { ReportedDispute } from '../../../../models/finances/disputes/recordDisputes.js';
import type { MarkedRefund } from '../../../../models/finances/refunds/settleRefunds.js';

export interface Charge {
  intent: string;
  cents: number;
  /** By others than us. */
  refunded: number;
  /** What an administrator had us give back of it, that nobody was credited with. */
  given: { gatewayRefundId: string; cents: number; failed: boolean }[];
  /** What we asked for. */
  own: { id: string; cents: number; status: MarkedRefund['status'] | null }[];
  /** The provider was asked about it before. */
  read: boolean;
  disputes: ReportedDispute[];
}

export const aCharge = (intent: string, cents: number): Charge => ({
  intent,
  cents,
  refunded: 0,
  given: [],
  own: [],
  read: false,
  disputes: [],
});

/** What of a charge has gone back, or is on its way, by the provider's word. */
const standing = ({ refunded, given, own }: Pick<Charge, 'refunded' | 'given' | 'own'>): number =>
  [
    ...given.filter(({ failed }) => !failed),
    ...own.filter(({ status }) => status === 'refunded' || status === 'pending'),
  ].reduce((sum, { cents }) => sum + cents, refunded);

/** What the provider says when it is asked. */
export const readOf = (charge: Charge, version: string): RefundsRead => ({
  version,
  refundedCents: standing(charge),
  failed: charge.given.flatMap(({ gatewayRefundId, failed }) =>
    failed ? [{ gatewayRefundId, failureCode: 'expired_or_canceled_card' }] : [],
  ),
  marked: charge.own.flatMap(({ id, cents, status }) =>
    status ? [{ refundId: id, status, gatewayRefundId: `re_${id}`, amountCents: cents, failureCode: null }] : [],
  ),
});

/** What banks hold of it. */
const heldOf = ({ disputes }: Charge): number =>
  disputes
    .flatMap(({ movements }) => movements)
    .reduce((sum, { kind, amountCents }) => sum + (kind === 'withdrawn' ? amountCents : -amountCents), 0);

/** What can still leave it. */
export const leftOf = (charge: Charge): number => charge.cents - standing(charge) - heldOf(charge);
