import { type ChargeRefund, isRefusal } from '../../gateways/payments/port.js';
import type { RefundsRead } from '../../models/finances/captures/refundCapture.js';

/**
 * Converts what an account lists as refunds of a charge to the stored form; null where it does not know the charge.
 */
export function refundsRead(refunds: ChargeRefund[] | null, version: string | null): RefundsRead | null {
  if (!refunds) return null;
  const standing = refunds.filter(({ status }) => status !== 'failed');
  return {
    version,
    refundedCents: standing.reduce((cents, { amountCents }) => cents + amountCents, 0),
    failed: refunds
      .filter(({ status }) => status === 'failed')
      .map(({ gatewayRefundId, failureCode }) => ({ gatewayRefundId, failureCode: failureCode ?? 'refund_failed' })),
    marked: refunds.flatMap(({ refundId, ...refund }) => (refundId ? [{ ...refund, refundId }] : [])),
  };
}

/** @returns null for a refusal: the account has no such charge, so nothing was refunded. @throws every other error */
export function unlessUnknown(error: unknown): null {
  if (!isRefusal(error)) throw error;
  return null;
}
