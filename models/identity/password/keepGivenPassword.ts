import { rows } from '../../database/rows.js';
import { revokeOtherSessions } from '../revokeSessions.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { dropPasswordReset } from './dropPasswordReset.js';

/**
 * Keeps a password that somebody else hands over, and that its person has to replace. Ends every session of the account.
 * @param givenIn the organization whose admin has seen it; null leaves what was said before
 */
export async function keepGivenPassword(userId: string, passwordHash: string, givenIn: string | null): Promise<void> {
  await rows(
    `UPDATE users SET password_hash = $2, must_change_password = true,
            password_given_in = coalesce($3, password_given_in),
            password_given_at = CASE WHEN coalesce($3, password_given_in) IS NOT NULL
                                THEN coalesce(password_given_at, now()) END
      WHERE id = $1`,
    [userId, passwordHash, givenIn],
  );
  await dropPasswordReset(userId);
  await revokeOtherSessions(userId, null, 'password_changed');
  await recordSecurityEvent({ userId, kind: 'password.temporary_set' });
}
