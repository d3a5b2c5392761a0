import { firstRow } from '../../database/rows.js';

/**
 * Notes how much of a capture was given back so far; never less than was known.
 * @returns `expected` when the charge is ours but its capture is not recorded yet, `unknown` when it is not ours
 */
export async function refundCapture(
  processorId: string,
  intentId: string,
  refundedCents: number,
): Promise<'noted' | 'expected' | 'unknown'> {
  const noted = await firstRow(
    `UPDATE processor_captures SET refunded_cents = greatest(refunded_cents, least($3, amount_cents))
      WHERE processor_id = $1 AND intent_id = $2 RETURNING id`,
    [processorId, intentId, refundedCents],
  );
  if (noted) return 'noted';
  const attempt = await firstRow('SELECT id FROM payment_attempts WHERE processor_id = $1 AND intent_id = $2', [
    processorId,
    intentId,
  ]);
  return attempt ? 'expected' : 'unknown';
}
