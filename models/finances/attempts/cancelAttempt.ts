/**
 * Cancels a payment attempt before the id of its charge is recorded. After that, only the outcome of the charge ends
 * the attempt.
 */
import { changeRow } from '../../database/model/change.js';
import { concludeAttempt } from './concludeAttempt.js';
import { PaymentAttempt } from './PaymentAttempt.js';

/** Failure code and message of a cancelled attempt. */
export const CANCELLED = {
  failureCode: 'cancelled',
  failureMessage: 'An administrator cancelled this payment.',
} as const;

/**
 * Records the cancellation of an attempt under the lock of its row. If the charge is created nevertheless,
 * `recordIntent` removes the cancellation.
 * @returns false if the charge's id is already recorded or the attempt has ended
 */
export async function recordCancellation(attemptId: string): Promise<boolean> {
  const unopened = { id: attemptId, status: 'pending', intent_id: null, captured_cents: null } as const;
  const failure = { failure_code: CANCELLED.failureCode, failure_message: CANCELLED.failureMessage };
  return (await changeRow(PaymentAttempt, unopened, failure)) !== null;
}

/**
 * Cancels an attempt without a recorded charge, and releases its invoices.
 * @returns false when it is too late to cancel
 */
export async function cancelAttempt(attemptId: string): Promise<boolean> {
  if (!(await recordCancellation(attemptId))) return false;
  await concludeAttempt({ attemptId }, { status: 'failed', ...CANCELLED });
  return true;
}
