/** Changes the refunded amount of a charge. Refunds and disputes both use this function. */
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { syncFlaggedCase } from '../cases/syncCases.js';
import { restoreRetainedCredit } from '../credit/restoreRetainedCredit.js';
import { revokeRetainedCredit } from '../credit/revokeCredit.js';
import { lockRemittance } from '../remittances/remittance.js';
import { financesUpstream } from '../upstream.js';
import { lowerFlag, raiseFlag } from './captureFlag.js';
import { findCapture } from './ProcessorCapture.js';

/** SQL: the row version (xmin) of capture `c`, which changes with every update. */
export const CAPTURE_VERSION_SQL = 'c.xmin::text';

export interface LockedCapture {
  id: string;
  processor_id: string;
  intent_id: string;
  remittance_id: string | null;
  donation_id: string | null;
  version: string;
  amount_cents: number;
  /** Amount that refunds and disputes together took from the charge. */
  refunded_cents: number;
  /** The part of `refunded_cents` that disputes took. */
  disputed_cents: number;
  /**
   * Amount that open and lost disputes withhold. It may exceed `disputed_cents`, which is limited to money that was not
   * refunded.
   */
  withdrawn_cents: number;
  disposition: 'recorded' | 'flagged' | 'resolved';
  was_read: boolean;
  is_kept: boolean;
}

/** Locks a capture. @returns null when the capture is not recorded */
export async function lockCapture(processorId: string, intentId: string): Promise<LockedCapture | null> {
  const existing = await findCapture(processorId, intentId);
  if (!existing) return null;
  // Lock the remittance first, then the capture: all transactions lock in this order.
  if (existing.remittance_id) await lockRemittance(existing.remittance_id);
  return oneRow<LockedCapture>(
    `SELECT c.id, c.processor_id, c.intent_id, c.remittance_id, c.donation_id, ${CAPTURE_VERSION_SQL} AS version, c.amount_cents, c.refunded_cents,
            c.disputed_cents, c.withdrawn_cents, c.disposition, c.refunds_read_at IS NOT NULL AS was_read,
            EXISTS (SELECT 1 FROM capture_resolutions r WHERE r.organization_id = c.organization_id AND r.capture_id = c.id
                       AND r.resolution IN ('keep_as_credit','accept')) AS is_kept
       FROM processor_captures c WHERE c.processor_id = $1 AND c.intent_id = $2 FOR UPDATE`,
    [processorId, intentId],
  );
}

interface RefundTotals {
  /** Total that refunds and disputes took from the charge, at most the captured amount. */
  refundedCents: number;
  /** The part of `refundedCents` that disputes took. */
  disputedCents: number;
  /** The part of `refundedCents` that the platform's own refunds of payments returned. */
  ownCents: number;
  /** Whether the total is the provider's answer to a request, and not from a webhook event. */
  wasRead: boolean;
}

/**
 * Sets the refunded totals of a locked charge. Adjusts its flag, and any credit into which the charge was turned.
 * @returns the amount to deduct from payments, in cents; less than the refunded total if some captured money was never
 * credited, because that is refunded first
 */
export async function setRefundedTotal(
  capture: LockedCapture,
  { refundedCents, disputedCents, ownCents, wasRead }: RefundTotals,
): Promise<number> {
  const returnedCents = Math.max(0, capture.refunded_cents - refundedCents);
  const remainingCents = capture.amount_cents - refundedCents;
  const uncreditedCents = Math.max(0, capture.amount_cents - (await sumCredited(capture)));
  const flagsAgain =
    capture.disposition === 'resolved' &&
    returnedCents > 0 &&
    !capture.is_kept &&
    uncreditedCents > refundedCents - ownCents;

  // Reduce the credit into which the charge was turned before the refund is written, so that the credit never exceeds
  // the remaining money.
  await revokeRetainedCredit(capture.id, remainingCents);
  await rows(
    `UPDATE processor_captures SET refunded_cents = $2, disputed_cents = $3, refund_failed_cents = refund_failed_cents + $4,
            refunds_read_at = CASE WHEN $5 THEN now() ELSE refunds_read_at END,
            disposition = CASE WHEN $6 THEN 'flagged' ELSE disposition END
      WHERE id = $1 AND (refunded_cents <> $2 OR disputed_cents <> $3 OR $5)`,
    [capture.id, refundedCents, disputedCents, returnedCents, wasRead, flagsAgain],
  );
  if (returnedCents > 0) await restoreRetainedCredit(capture.id, remainingCents);
  if (flagsAgain) await raiseFlag(capture.id);
  else if (capture.disposition === 'flagged') await lowerFlag(capture.id, uncreditedCents <= refundedCents - ownCents);
  await syncFlaggedCase(capture.id);
  if (capture.donation_id)
    await financesUpstream().donationReturned({ donationId: capture.donation_id, captureId: capture.id });
  // The platform's own refunds belong to payments, so they do not reduce the uncredited money.
  return ownCents + Math.max(0, refundedCents - ownCents - uncreditedCents);
}

const sumCredited = async ({ processor_id, intent_id }: LockedCapture): Promise<number> =>
  (
    await oneRow<{ cents: number }>(
      `SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM payment_records
        WHERE organization_id = $1 AND intent_id = $2 AND processor_id = $3 AND status = 'succeeded'`,
      [currentOrganization(), intent_id, processor_id],
    )
  ).cents;
