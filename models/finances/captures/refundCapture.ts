import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { takeBackKeptCredit } from '../credit/takeBackCredit.js';
import { lockRemittance, WAITING_SQL } from '../remittances/remittance.js';

/** `unknown`: no capture of this charge is recorded, yet or at all. */
type NotedRefund = { state: 'noted'; ofPaymentsCents: number } | { state: 'unknown' };

interface Capture {
  id: string;
  remittance_id: string | null;
  amount_cents: number;
  refunded_cents: number;
  disposition: 'recorded' | 'flagged' | 'resolved';
}

/**
 * Notes how much of a capture was given back so far; never less than was known.
 * @returns how much of that takes back payments: what was captured but never credited goes back first
 */
export async function refundCapture(
  processorId: string,
  intentId: string,
  refundedCents: number,
): Promise<NotedRefund> {
  const known = await firstRow<Pick<Capture, 'remittance_id'>>(
    'SELECT remittance_id FROM processor_captures WHERE processor_id = $1 AND intent_id = $2',
    [processorId, intentId],
  );
  if (!known) return { state: 'unknown' };
  // The remittance first: everybody locks in this order.
  if (known.remittance_id) await lockRemittance(known.remittance_id);
  const capture = await oneRow<Capture>(
    `SELECT id, remittance_id, amount_cents, disposition, greatest(refunded_cents, least($3, amount_cents))::bigint AS refunded_cents
       FROM processor_captures WHERE processor_id = $1 AND intent_id = $2 FOR UPDATE`,
    [processorId, intentId, refundedCents],
  );
  // Before the refund is written: credit never leans on money that is gone.
  await takeBackKeptCredit(capture.id, capture.amount_cents - capture.refunded_cents);
  await rows('UPDATE processor_captures SET refunded_cents = $2 WHERE id = $1 AND refunded_cents <> $2', [
    capture.id,
    capture.refunded_cents,
  ]);
  if (capture.disposition === 'flagged') await lowerFlag(capture);
  const { credited } = await oneRow<{ credited: number }>(
    `SELECT coalesce(sum(amount_cents), 0)::bigint AS credited FROM payment_records
      WHERE organization_id = $1 AND intent_id = $2 AND processor_id = $3 AND status = 'succeeded'`,
    [currentOrganization(), intentId, processorId],
  );
  const neverCredited = Math.max(0, capture.amount_cents - credited);
  return { state: 'noted', ofPaymentsCents: Math.max(0, capture.refunded_cents - neverCredited) };
}

/** Money that waits for an officer and goes back does not wait any more; when none is left, the flag is dealt with, and what was never settled is a draft without a charge. */
async function lowerFlag({ id, remittance_id, amount_cents, refunded_cents }: Capture): Promise<void> {
  if (refunded_cents === amount_cents)
    await rows(`UPDATE processor_captures SET disposition = 'resolved' WHERE id = $1`, [id]);
  if (!remittance_id) return;
  await rows(
    `UPDATE chapter_remittances r SET
        reconciliation_amount_cents = coalesce(${WAITING_SQL}, reconciliation_amount_cents),
        processor_payment_id =
          CASE WHEN ${WAITING_SQL} IS NOT NULL OR settled_at IS NOT NULL THEN processor_payment_id END,
        resolved_at = CASE WHEN ${WAITING_SQL} IS NULL THEN clock_timestamp() ELSE resolved_at END,
        reconciliation_note =
          CASE WHEN ${WAITING_SQL} IS NULL THEN 'The processor gave the whole charge back.' ELSE reconciliation_note END
      WHERE r.id = $1`,
    [remittance_id],
  );
}
