import { oneRow } from '../../database/rows.js';
import { revokeOtherSessions } from '../revokeSessions.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { dropPasswordReset } from './dropPasswordReset.js';
import { temporarySeconds } from './temporaryPassword.js';

/**
 * Keeps a password that somebody else hands over, and that its person has to replace in time. Ends every session of the account.
 * @param givenIn the organization whose admin has seen it; null leaves what was said before
 * @returns until when it opens the account
 */
export async function keepGivenPassword(userId: string, passwordHash: string, givenIn: string | null): Promise<Date> {
  const { password_ends_at } = await oneRow<{ password_ends_at: Date }>(
    `UPDATE users SET password_hash = $2, must_change_password = true,
            password_ends_at = now() + $4 * interval '1 second',
            password_given_in = coalesce($3, password_given_in),
            password_given_at = CASE WHEN coalesce($3, password_given_in) IS NOT NULL
                                THEN coalesce(password_given_at, now()) END
      WHERE id = $1 RETURNING password_ends_at`,
    [userId, passwordHash, givenIn, temporarySeconds()],
  );
  await dropPasswordReset(userId);
  await revokeOtherSessions(userId, null, 'password_changed');
  await recordSecurityEvent({ userId, kind: 'password.temporary_set' });
  return password_ends_at;
}
