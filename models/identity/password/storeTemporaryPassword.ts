import { oneRow } from '../../database/rows.js';
import { revokeOtherSessions } from '../revokeSessions.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { deletePasswordReset } from './deletePasswordReset.js';
import { temporarySeconds } from './temporaryPassword.js';

/**
 * Stores a temporary password, which the person must replace before it expires. Ends every session of the account.
 * @param givenIn the organization whose admin knows the password; null leaves the recorded organization unchanged
 * @returns when the password expires
 */
export async function storeTemporaryPassword(
  userId: string,
  passwordHash: string,
  givenIn: string | null,
): Promise<Date> {
  const { password_ends_at } = await oneRow<{ password_ends_at: Date }>(
    `UPDATE users SET password_hash = $2, must_change_password = true,
            password_ends_at = now() + $4 * interval '1 second',
            password_given_in = coalesce($3, password_given_in),
            password_given_at = CASE WHEN coalesce($3, password_given_in) IS NOT NULL
                                THEN coalesce(password_given_at, now()) END
      WHERE id = $1 RETURNING password_ends_at`,
    [userId, passwordHash, givenIn, temporarySeconds()],
  );
  await deletePasswordReset(userId);
  await revokeOtherSessions(userId, null, 'password_changed');
  await recordSecurityEvent({ userId, kind: 'password.temporary_set' });
  return password_ends_at;
}
