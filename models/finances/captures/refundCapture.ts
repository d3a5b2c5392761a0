import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { restoreKeptCredit } from '../credit/restoreKeptCredit.js';
import { takeBackKeptCredit } from '../credit/takeBackCredit.js';
import { keepFlagged } from '../cases/keepCase.js';
import { lockRemittance } from '../remittances/remittance.js';
import { lockChargedInvoices } from './lockChargedInvoices.js';
import { lowerFlag, raiseFlag } from './captureFlag.js';
import { type FailedRefund, noteFailedRefunds } from './failedRefunds.js';
import { type MarkedRefund, type OwnRefund, settleRefunds } from '../refunds/settleRefunds.js';
import { captureOf } from './ProcessorCapture.js';

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
type NotedRefund =
  | { state: 'noted'; ofPaymentsCents: number; own: OwnRefund[]; failedCents: number }
  | { state: 'unknown' };

interface Capture {
  id: string;
  version: string;
  amount_cents: number;
  refunded_cents: number;
  disposition: 'recorded' | 'flagged' | 'resolved';
  was_read: boolean;
  is_kept: boolean;
}

/** SQL: a word that is another one after every change of capture `c`. */
export const CAPTURE_VERSION_SQL = 'c.xmin::text';

/** Something about the charge's refunds has changed, or the provider was not asked: it is asked (again), and then it counts. */
export class RefundsChanged extends Error {
  override readonly name = 'RefundsChanged';
}

/**
 * Notes how much of a capture was given back so far.
 * @param given as an event reports it, which is never less than was known; or as the provider was asked: then it may be
 * less, since a refund may fail days after it was made, and what came back is somebody's again
 * @returns how much of that takes back payments: what was captured but never credited goes back first; and how much that
 * was noted as given back is here again
 * @throws RefundsChanged
 */
export async function refundCapture(
  processorId: string,
  intentId: string,
  given: number | RefundsRead,
): Promise<NotedRefund> {
  const read = typeof given === 'number' ? null : given;
  const capture = await lockCapture(processorId, intentId);
  if (!capture) return { state: 'unknown' };
  if (read ? read.version !== capture.version : capture.was_read)
    throw new RefundsChanged('The provider has to be asked about refunds of this charge.');
  const known = capture.refunded_cents;
  // Those who hold a charge and settle what went back hold its invoices too, before the first of them changes.
  await lockChargedInvoices(intentId);
  const own = await settleRefunds(capture.id, read?.marked ?? null);
  const refundedCents = Math.min(
    capture.amount_cents,
    read ? read.refundedCents - own.pendingCents : Math.max(known, given as number),
  );
  const failedCents = Math.max(0, known - refundedCents);
  const leftCents = capture.amount_cents - refundedCents;
  const neverCredited = Math.max(0, capture.amount_cents - (await creditedBy(processorId, intentId)));
  const waitsAgain =
    capture.disposition === 'resolved' &&
    failedCents > 0 &&
    !capture.is_kept &&
    neverCredited > refundedCents - own.goneCents;

  // Before the refund is written: credit never leans on money that is gone.
  await takeBackKeptCredit(capture.id, leftCents);
  await rows(
    `UPDATE processor_captures SET refunded_cents = $2, refund_failed_cents = refund_failed_cents + $3,
            refunds_read_at = CASE WHEN $4 THEN now() ELSE refunds_read_at END,
            disposition = CASE WHEN $5 THEN 'flagged' ELSE disposition END
      WHERE id = $1 AND (refunded_cents <> $2 OR $4)`,
    [capture.id, refundedCents, failedCents, read !== null, waitsAgain],
  );
  if (failedCents > 0) await restoreKeptCredit(capture.id, leftCents);
  if (read) await noteFailedRefunds(capture.id, read.failed, failedCents);
  if (waitsAgain) await raiseFlag(capture.id);
  else if (capture.disposition === 'flagged')
    await lowerFlag(capture.id, neverCredited <= refundedCents - own.goneCents);
  await keepFlagged(capture.id);
  // What we gave back of a payment took nothing of what nobody was credited with.
  const ofPaymentsCents = own.goneCents + Math.max(0, refundedCents - own.goneCents - neverCredited);
  return { state: 'noted', ofPaymentsCents, own: own.now, failedCents };
}

async function lockCapture(processorId: string, intentId: string): Promise<Capture | null> {
  const known = await captureOf(processorId, intentId);
  if (!known) return null;
  // The remittance first: everybody locks in this order.
  if (known.remittance_id) await lockRemittance(known.remittance_id);
  return oneRow<Capture>(
    `SELECT c.id, ${CAPTURE_VERSION_SQL} AS version, c.amount_cents, c.refunded_cents, c.disposition,
            c.refunds_read_at IS NOT NULL AS was_read,
            EXISTS (SELECT 1 FROM capture_resolutions r WHERE r.organization_id = c.organization_id AND r.capture_id = c.id
                       AND r.resolution = 'keep_as_credit') AS is_kept
       FROM processor_captures c WHERE c.processor_id = $1 AND c.intent_id = $2 FOR UPDATE`,
    [processorId, intentId],
  );
}

const creditedBy = async (processorId: string, intentId: string): Promise<number> =>
  (
    await oneRow<{ cents: number }>(
      `SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM payment_records
        WHERE organization_id = $1 AND intent_id = $2 AND processor_id = $3 AND status = 'succeeded'`,
      [currentOrganization(), intentId, processorId],
    )
  ).cents;
