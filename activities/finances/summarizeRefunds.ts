import { type ChargeRefund, isRefusal } from '../../gateways/payments/port.js';
import type { RefundsRead } from '../../models/finances/captures/refundCapture.js';

/**
 * Converts a provider's list of refunds of a charge to the stored form; null if the account does not know the charge.
 */
export function summarizeRefunds(refunds: ChargeRefund[] | null, version: string | null): RefundsRead | null {
  if (!refunds) return null;
  const effective = refunds.filter(({ status }) => status !== 'failed');
  return {
    version,
    refundedCents: effective.reduce((cents, { amountCents }) => cents + amountCents, 0),
    failed: refunds
      .filter(({ status }) => status === 'failed')
      .map(({ gatewayRefundId, failureCode }) => ({ gatewayRefundId, failureCode: failureCode ?? 'refund_failed' })),
    marked: refunds.flatMap(({ refundId, ...refund }) => (refundId ? [{ ...refund, refundId }] : [])),
  };
}

/** Returns null for a refusal: the account has no such charge, so nothing was refunded. Throws every other error. */
export function nullIfRefused(error: unknown): null {
  if (!isRefusal(error)) throw error;
  return null;
}
