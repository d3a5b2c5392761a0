/** A charge whose money leaves or comes back, whoever moves it: refunds and disputes have one way of changing it. */
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { keepFlagged } from '../cases/keepCase.js';
import { restoreKeptCredit } from '../credit/restoreKeptCredit.js';
import { takeBackKeptCredit } from '../credit/takeBackCredit.js';
import { lockRemittance } from '../remittances/remittance.js';
import { lowerFlag, raiseFlag } from './captureFlag.js';
import { captureOf } from './ProcessorCapture.js';

/** SQL: a word that is another one after every change of capture `c`. */
export const CAPTURE_VERSION_SQL = 'c.xmin::text';

export interface HeldCapture {
  id: string;
  processor_id: string;
  intent_id: string;
  remittance_id: string | null;
  version: string;
  amount_cents: number;
  /** What left it, for refunds and disputes. */
  refunded_cents: number;
  /** Of that, what went to disputes. */
  disputed_cents: number;
  /** What disputes hold of it. */
  withdrawn_cents: number;
  disposition: 'recorded' | 'flagged' | 'resolved';
  was_read: boolean;
  is_kept: boolean;
}

/** The capture, held; null: it is not on record. */
export async function holdCapture(processorId: string, intentId: string): Promise<HeldCapture | null> {
  const known = await captureOf(processorId, intentId);
  if (!known) return null;
  // The remittance first: everybody locks in this order.
  if (known.remittance_id) await lockRemittance(known.remittance_id);
  return oneRow<HeldCapture>(
    `SELECT c.id, c.processor_id, c.intent_id, c.remittance_id, ${CAPTURE_VERSION_SQL} AS version, c.amount_cents, c.refunded_cents,
            c.disputed_cents, c.withdrawn_cents, c.disposition, c.refunds_read_at IS NOT NULL AS was_read,
            EXISTS (SELECT 1 FROM capture_resolutions r WHERE r.organization_id = c.organization_id AND r.capture_id = c.id
                       AND r.resolution = 'keep_as_credit') AS is_kept
       FROM processor_captures c WHERE c.processor_id = $1 AND c.intent_id = $2 FOR UPDATE`,
    [processorId, intentId],
  );
}

interface Gone {
  /** All that left the charge, up to what it took. */
  refundedCents: number;
  /** Of that, to disputes. */
  disputedCents: number;
  /** Of that, what we gave back of payments ourselves. */
  ownCents: number;
  /** Whether the provider was asked about refunds. */
  wasRead: boolean;
}

/**
 * Writes what left a held charge so far, with what follows for money that waits or was kept as credit.
 * @returns how much of it takes back payments: what was captured but never credited goes first
 */
export async function bringTo(
  capture: HeldCapture,
  { refundedCents, disputedCents, ownCents, wasRead }: Gone,
): Promise<number> {
  const backCents = Math.max(0, capture.refunded_cents - refundedCents);
  const leftCents = capture.amount_cents - refundedCents;
  const neverCredited = Math.max(0, capture.amount_cents - (await creditedBy(capture)));
  const waitsAgain =
    capture.disposition === 'resolved' && backCents > 0 && !capture.is_kept && neverCredited > refundedCents - ownCents;

  // Before it is written: credit never leans on money that is gone.
  await takeBackKeptCredit(capture.id, leftCents);
  await rows(
    `UPDATE processor_captures SET refunded_cents = $2, disputed_cents = $3, refund_failed_cents = refund_failed_cents + $4,
            refunds_read_at = CASE WHEN $5 THEN now() ELSE refunds_read_at END,
            disposition = CASE WHEN $6 THEN 'flagged' ELSE disposition END
      WHERE id = $1 AND (refunded_cents <> $2 OR disputed_cents <> $3 OR $5)`,
    [capture.id, refundedCents, disputedCents, backCents, wasRead, waitsAgain],
  );
  if (backCents > 0) await restoreKeptCredit(capture.id, leftCents);
  if (waitsAgain) await raiseFlag(capture.id);
  else if (capture.disposition === 'flagged') await lowerFlag(capture.id, neverCredited <= refundedCents - ownCents);
  await keepFlagged(capture.id);
  // What we gave back of a payment took nothing of what nobody was credited with.
  return ownCents + Math.max(0, refundedCents - ownCents - neverCredited);
}

const creditedBy = async ({ processor_id, intent_id }: HeldCapture): Promise<number> =>
  (
    await oneRow<{ cents: number }>(
      `SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM payment_records
        WHERE organization_id = $1 AND intent_id = $2 AND processor_id = $3 AND status = 'succeeded'`,
      [currentOrganization(), intent_id, processor_id],
    )
  ).cents;
