/** Giving up a payment before its charge is open. From then on only its outcome ends it. */
import { changeRow } from '../../database/model/change.js';
import { concludeAttempt } from './concludeAttempt.js';
import { PaymentAttempt } from './PaymentAttempt.js';

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
  const unopened = { id: attemptId, status: 'pending', intent_id: null, captured_cents: null } as const;
  const why = { failure_code: CANCELLED.failureCode, failure_message: CANCELLED.failureMessage };
  return (await changeRow(PaymentAttempt, unopened, why)) !== null;
}

/** Ends an attempt that nobody has begun, and releases its invoices. @returns false when it is too late for that */
export async function cancelAttempt(attemptId: string): Promise<boolean> {
  if (!(await noteCancellation(attemptId))) return false;
  await concludeAttempt({ attemptId }, { status: 'failed', ...CANCELLED });
  return true;
}
