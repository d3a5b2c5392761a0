import { recordRefund } from '../recordRefund.js';
import { lockChargedInvoices } from './lockChargedInvoices.js';
import { setRefundedTotal, lockCapture } from './setRefundedTotal.js';
import { endPendingRefunds, type FailedRefund, recordFailedRefunds } from './failedRefunds.js';
import { type MarkedRefund, settleRefunds } from '../refunds/settleRefunds.js';

/** A charge's refunds as the provider reports them. */
export interface RefundsRead {
  /**
   * Value of `CAPTURE_VERSION_SQL` before the provider was asked; null if no capture was recorded. If the value has
   * changed since, the provider is asked again.
   */
  version: string | null;
  /** Total of pending and succeeded refunds; failed ones are excluded. */
  refundedCents: number;
  failed: FailedRefund[];
  /** Refunds at the provider that carry the id of a refund of the platform, failed or not. */
  marked: MarkedRefund[];
}

/** State `unknown`: no capture of this charge is recorded. */
type RefundOutcome = { state: 'noted'; failedCents: number } | { state: 'unknown' };

/**
 * Thrown when the recorded refunds of a charge have changed since the provider was asked, or when the provider must be
 * asked and was not. The caller asks the provider and retries.
 */
export class RefundsChanged extends Error {
  override readonly name = 'RefundsChanged';
}

/**
 * Records the refunded total of a capture and deducts it from the payments that the capture made; money that was never
 * credited is refunded first.
 * @param reported the total from a webhook event, which never lowers the recorded total, or the provider's answer,
 * which may lower it because a refund may fail days later
 * @returns how much of the recorded total came back
 * @throws RefundsChanged
 */
export async function refundCapture(
  processorId: string,
  intentId: string,
  reported: number | RefundsRead,
): Promise<RefundOutcome> {
  const read = typeof reported === 'number' ? null : reported;
  const capture = await lockCapture(processorId, intentId);
  if (!capture) return { state: 'unknown' };
  if (read ? read.version !== capture.version : capture.was_read)
    throw new RefundsChanged('Ask the provider about the refunds of this charge first.');
  const recordedCents = capture.refunded_cents - capture.disputed_cents;
  // Lock all invoices before the first of them changes. All transactions that lock a charge and settle its refunds do
  // this.
  await lockChargedInvoices(intentId);
  const own = await settleRefunds(capture.id, read?.marked ?? null);
  const unrefundedCents = read ? await endPendingRefunds(capture.id, read.marked) : 0;
  const returnedCents = Math.min(
    capture.amount_cents,
    read ? read.refundedCents - own.pendingCents : Math.max(recordedCents, reported as number),
  );
  const disputedCents = Math.min(capture.withdrawn_cents, capture.amount_cents - returnedCents);
  const deductibleCents = await setRefundedTotal(capture, {
    refundedCents: returnedCents + disputedCents,
    disputedCents,
    ownCents: own.succeededCents,
    wasRead: read !== null,
  });
  const failedCents = Math.max(0, recordedCents - returnedCents);
  if (read) await recordFailedRefunds(capture.id, read.failed, failedCents || unrefundedCents);
  await recordRefund({ intentId, refundedCents: deductibleCents, own: own.justSucceeded, mayBeLess: read !== null });
  return { state: 'noted', failedCents };
}
