import { changeRow } from '../../database/model/change.js';
import { noticePerson } from '../notices/noticePerson.js';
import { revokeOtherSessions } from '../revokeSessions.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { User } from '../User.js';

/**
 * Keeps a password that was chosen by way of the mailbox. Ends every session of the account (spec: Credential transport, 5).
 * @returns false when the account is disabled
 */
export async function keepNewPassword(userId: string, passwordHash: string): Promise<boolean> {
  const own = { must_change_password: false, password_given_in: null, password_given_at: null };
  const changed = await changeRow(User, { id: userId, disabled_at: null }, { password_hash: passwordHash, ...own });
  if (!changed) return false;
  await revokeOtherSessions(userId, null, 'password_changed');
  await recordSecurityEvent({ userId, kind: 'password.reset' });
  await noticePerson({ userId, kind: 'password_changed' });
  return true;
}
