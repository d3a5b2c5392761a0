/** Grants and revokes platform admin rights. One active platform admin must always remain. */
import { changeRow, editRow, lockForEditIfExists } from '../database/model/change.js';
import { rows } from '../database/rows.js';
import { invalid, refuse } from '../errors.js';
import { identityErrors } from './errors.js';
import { revokeOtherSessions } from './revokeSessions.js';
import { recordSecurityEvent } from './securityEvents.js';
import { User } from './User.js';

/**
 * Makes the person a platform admin and ends their sessions. Otherwise a session that an organization's identity
 * provider began would get the rights of a platform admin.
 * @throws Refusal validation_error for an account that does not exist or is disabled, duplicate
 */
export async function grantPlatformAdmin(userId: string, by: string): Promise<void> {
  const person = await lockForEditIfExists(User, userId);
  if (!person || person.disabled_at) throw invalid('user', 'There is no such active account.');
  if (person.is_platform_admin) throw refuse.duplicate('This person is already a platform admin.');
  await editRow(person, { is_platform_admin: true });
  await revokeOtherSessions(userId, null, 'revoked_by_admin');
  await recordSecurityEvent({ userId, kind: 'platform_admin.granted', details: { by } });
}

/**
 * Revokes the right and ends the person's sessions.
 * @throws Refusal not_found, last_admin
 */
export async function revokePlatformAdmin(userId: string, by: string): Promise<void> {
  const { isAdmin } = await requireAnotherPlatformAdmin(userId);
  if (!isAdmin) throw refuse.not_found();
  await changeRow(User, userId, { is_platform_admin: false });
  await revokeOtherSessions(userId, null, 'revoked_by_admin');
  await recordSecurityEvent({ userId, kind: 'platform_admin.revoked', details: { by } });
}

/**
 * Locks all platform admins, so that two of them cannot be removed at the same time.
 * @returns whether the given person is a platform admin
 * @throws Refusal last_admin if there is no other active platform admin
 */
export async function requireAnotherPlatformAdmin(userId: string): Promise<{ isAdmin: boolean }> {
  const admins = await rows<{ id: string; active: boolean }>(
    'SELECT id, disabled_at IS NULL AS active FROM users WHERE is_platform_admin ORDER BY id FOR NO KEY UPDATE',
  );
  const isAdmin = admins.some(({ id }) => id === userId);
  if (isAdmin && !admins.some(({ id, active }) => id !== userId && active)) {
    throw identityErrors.last_admin('The platform needs at least one active admin. Appoint another one first.');
  }
  return { isAdmin };
}
