import { changeRow } from '../../database/model/change.js';
import { enqueueNotice } from '../notices/enqueueNotice.js';
import { revokeOtherSessions } from '../revokeSessions.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { User } from '../User.js';

/**
 * Stores a password that the person chose through a mailed link. Ends every session of the account (spec: Credential
 * transport, 5).
 * @returns false when the account is disabled
 */
export async function storeNewPassword(userId: string, passwordHash: string): Promise<boolean> {
  const ownPassword = { must_change_password: false, password_given_in: null, password_given_at: null };
  const changed = await changeRow(
    User,
    { id: userId, disabled_at: null },
    { password_hash: passwordHash, ...ownPassword },
  );
  if (!changed) return false;
  await revokeOtherSessions(userId, null, 'password_changed');
  await recordSecurityEvent({ userId, kind: 'password.reset' });
  await enqueueNotice({ userId, kind: 'password_changed' });
  return true;
}
