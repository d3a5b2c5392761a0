/** A forgotten password: asked for with an address alone. */
import { normalizeEmail } from '../accounts.js';
import { writeNotice } from '../notices/noticePerson.js';

export const RESET_SECONDS = 60 * 60;

/**
 * Writes that somebody asked, in the open transaction, and looks at no account: whether there is one, only the process
 * that mails finds out (`issueResetToken`). Whoever asks sees the same work for every address.
 */
export async function requestPasswordReset(email: string): Promise<void> {
  await writeNotice({
    userId: null,
    kind: 'password_reset',
    email: normalizeEmail(email),
    expiresInSeconds: RESET_SECONDS,
  });
}
