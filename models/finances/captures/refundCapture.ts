import { recordRefund } from '../recordRefund.js';
import { lockChargedInvoices } from './lockChargedInvoices.js';
import { bringTo, holdCapture } from './bringTo.js';
import { type FailedRefund, noteFailedRefunds } from './failedRefunds.js';
import { type MarkedRefund, settleRefunds } from '../refunds/settleRefunds.js';

/** What the provider itself says of a charge's refunds. */
export interface RefundsRead {
  /** `captureVersion` before it was asked; null: the capture was not on record. What changed since is asked for again. */
  version: string | null;
  /** What goes back or went; not what failed to. */
  refundedCents: number;
  failed: FailedRefund[];
  /** Those of them that carry an id of ours, failed or not. */
  marked: MarkedRefund[];
}

/** `unknown`: no capture of this charge is recorded, yet or at all. */
type NotedRefund = { state: 'noted'; failedCents: number } | { state: 'unknown' };

/** Something about the charge's refunds has changed, or the provider was not asked: it is asked (again), and then it counts. */
export class RefundsChanged extends Error {
  override readonly name = 'RefundsChanged';
}

/**
 * Notes how much of a capture was given back so far, and takes it from the payments under it: what was captured but never credited goes
 * first.
 * @param given as an event reports it, which is never less than was known; or as the provider was asked: then it may be
 * less, since a refund may fail days after it was made, and what came back is somebody's again
 * @returns how much that was noted as given back is here again
 * @throws RefundsChanged
 */
export async function refundCapture(
  processorId: string,
  intentId: string,
  given: number | RefundsRead,
): Promise<NotedRefund> {
  const read = typeof given === 'number' ? null : given;
  const capture = await holdCapture(processorId, intentId);
  if (!capture) return { state: 'unknown' };
  if (read ? read.version !== capture.version : capture.was_read)
    throw new RefundsChanged('The provider has to be asked about refunds of this charge.');
  const known = capture.refunded_cents - capture.disputed_cents;
  // Those who hold a charge and settle what went back hold its invoices too, before the first of them changes.
  await lockChargedInvoices(intentId);
  const own = await settleRefunds(capture.id, read?.marked ?? null);
  const returnedCents = Math.min(
    capture.amount_cents,
    read ? read.refundedCents - own.pendingCents : Math.max(known, given as number),
  );
  const disputedCents = Math.min(capture.withdrawn_cents, capture.amount_cents - returnedCents);
  const ofPaymentsCents = await bringTo(capture, {
    refundedCents: returnedCents + disputedCents,
    disputedCents,
    ownCents: own.goneCents,
    wasRead: read !== null,
  });
  const failedCents = Math.max(0, known - returnedCents);
  if (read) await noteFailedRefunds(capture.id, read.failed, failedCents);
  await recordRefund({ intentId, refundedCents: ofPaymentsCents, own: own.now, mayBeLess: read !== null });
  return { state: 'noted', failedCents };
}
