/** Giving up a payment before its charge is open. From then on only its outcome ends it. */
import { firstRow } from '../../database/rows.js';
import { concludeAttempt } from './concludeAttempt.js';

/** Why such an attempt has ended. */
export const CANCELLED = {
  failureCode: 'cancelled',
  failureMessage: 'An administrator cancelled this payment.',
} as const;

/**
 * Writes down why the attempt is about to end, under its row's lock: opening the charge takes the same lock, and the
 * note away again. @returns false when the charge is open, or the attempt has ended
 */
export async function noteCancellation(attemptId: string): Promise<boolean> {
  const noted = await firstRow(
    `UPDATE payment_attempts SET failure_code = $2, failure_message = $3
      WHERE id = $1 AND status = 'pending' AND intent_id IS NULL AND captured_cents IS NULL RETURNING id`,
    [attemptId, CANCELLED.failureCode, CANCELLED.failureMessage],
  );
  return noted !== null;
}

/** Ends an attempt that nobody has begun, and releases its invoices. @returns false when it is too late for that */
export async function cancelAttempt(attemptId: string): Promise<boolean> {
  if (!(await noteCancellation(attemptId))) return false;
  await concludeAttempt({ attemptId }, { status: 'failed', ...CANCELLED });
  return true;
}
