/** A charge at its provider: its refunds, and the amounts that banks withdrew. */
import type { RefundsRead } from '../../../../models/finances/captures/refundCapture.js';
import type { ReportedDispute } from '../../../../models/finances/disputes/recordDisputes.js';
import type { MarkedRefund } from '../../../../models/finances/refunds/settleRefunds.js';

export interface Charge {
  intent: string;
  cents: number;
  /** Refunded by others. */
  refunded: number;
  /** Refunded on an administrator's order, without an invoice. */
  given: { gatewayRefundId: string; cents: number; failed: boolean }[];
  /** Refunded on our request. */
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

/** The refunded and pending amounts of a charge, according to the provider. */
const standing = ({ refunded, given, own }: Pick<Charge, 'refunded' | 'given' | 'own'>): number =>
  [
    ...given.filter(({ failed }) => !failed),
    ...own.filter(({ status }) => status === 'refunded' || status === 'pending'),
  ].reduce((sum, { cents }) => sum + cents, refunded);

/** The provider's answer to a request. */
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

/** The amount that banks withdrew. */
const heldOf = ({ disputes }: Charge): number =>
  disputes
    .flatMap(({ movements }) => movements)
    .reduce((sum, { kind, amountCents }) => sum + (kind === 'withdrawn' ? amountCents : -amountCents), 0);

/** The amount that can still be refunded. */
export const leftOf = (charge: Charge): number => charge.cents - standing(charge) - heldOf(charge);
