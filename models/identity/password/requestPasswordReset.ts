/** Requests a password reset for an e-mail address. */
import { normalizeEmail } from '../accounts.js';
import { writeNotice } from '../notices/enqueueNotice.js';

export const RESET_SECONDS = 60 * 60;

/**
 * Enqueues a reset notice in the caller's transaction without looking up an account. Only the workflow that mails the
 * notice finds out whether there is one (`issueResetToken`), so that the request takes equally long for every address.
 */
export async function requestPasswordReset(email: string): Promise<void> {
  await writeNotice({
    userId: null,
    kind: 'password_reset',
    email: normalizeEmail(email),
    expiresInSeconds: RESET_SECONDS,
  });
}
