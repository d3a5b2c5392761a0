/** Requests the reset of a forgotten password by address. */
import { normalizeEmail } from '../accounts.js';
import { writeNotice } from '../notices/enqueueNotice.js';

export const RESET_SECONDS = 60 * 60;

/**
 * Enqueues a reset notice in the open transaction without looking up an account. Only the workflow that mails it finds
 * out whether there is one (`issueResetToken`), so the request does the same work for every address.
 */
export async function requestPasswordReset(email: string): Promise<void> {
  await writeNotice({
    userId: null,
    kind: 'password_reset',
    email: normalizeEmail(email),
    expiresInSeconds: RESET_SECONDS,
  });
}
