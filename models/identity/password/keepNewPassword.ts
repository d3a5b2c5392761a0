import { firstRow } from '../../database/rows.js';
import { noticePerson } from '../notices/noticePerson.js';
import { revokeOtherSessions } from '../revokeSessions.js';
import { recordSecurityEvent } from '../securityEvents.js';

/**
 * Keeps a password that was chosen by way of the mailbox. Ends every session of the account (spec: Credential transport, 5).
 * @returns false when the account is disabled
 */
export async function keepNewPassword(userId: string, passwordHash: string): Promise<boolean> {
  const changed = await firstRow(
    `UPDATE users SET password_hash = $2, must_change_password = false, password_given_in = NULL,
            password_given_at = NULL
      WHERE id = $1 AND disabled_at IS NULL RETURNING id`,
    [userId, passwordHash],
  );
  if (!changed) return false;
  await revokeOtherSessions(userId, null, 'password_changed');
  await recordSecurityEvent({ userId, kind: 'password.reset' });
  await noticePerson({ userId, kind: 'password_changed' });
  return true;
}
