/** Changes a person's own password. */
import type { Origin } from '../../database/connection.js';
import { changeRow } from '../../database/model/change.js';
import { inPlatform, inTenantIfAny } from '../../database/tenancy.js';
import { invalid } from '../../errors.js';
import { identityErrors } from '../errors.js';
import { returnAttempt, takeAttempt } from '../failureBudget.js';
import { inHashSlot } from '../hashSlots.js';
import { enqueueNotice } from '../notices/enqueueNotice.js';
import { hashPassword, verifyPassword } from './passwordHash.js';
import { requireGoodPassword } from './passwordRules.js';
import { revokeOtherSessions } from '../revokeSessions.js';
import { deletePasswordReset } from './deletePasswordReset.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { User } from '../User.js';
import { type StoredPassword, readPassword } from './temporaryPassword.js';
import { replaceRefreshToken } from '../replaceRefreshToken.js';
import type { SessionTokens } from '../tokens.js';

export interface PasswordChange {
  userId: string;
  sessionId: string;
  /** The organization whose audit log records the change. */
  organizationId: string | null;
  currentPassword: string;
  newPassword: string;
  origin: Origin & { ipAddress: string };
  /** Receives the ids of the outbox rows that were written. */
  afterCommit: (outboxIds: string[]) => void;
}

/**
 * Changes the password, ends every other session, and gives the current session new tokens (spec: Credential transport,
 * 5). Opens its own transactions, because no connection may be held while a password is hashed: do not call it inside a
 * transaction.
 * @throws Refusal validation_error, too_many_failures, password_changed_meanwhile, session_ended,
 * temporary_password_expired
 */
export async function changePassword(change: PasswordChange): Promise<SessionTokens> {
  const { userId, currentPassword, newPassword } = change;
  const { email, first_name, last_name, ...stored } = await inPlatform(() => readPassword(userId));
  const verified = await requireCurrentPassword(change, stored);
  if (newPassword.normalize('NFKC') === currentPassword.normalize('NFKC')) {
    throw invalid('new_password', 'Must differ from the current password.');
  }
  await requireGoodPassword(newPassword, { email: email ?? '', first_name, last_name }, 'new_password');
  const newHash = await inHashSlot(() => hashPassword(newPassword));
  const work = () => storePassword(change, verified, newHash);
  const { organizationId, origin, afterCommit } = change;
  return inTenantIfAny(organizationId, work, { origin, afterCommit });
}

/**
 * Verifies the current password.
 * @returns the hash that it was verified against
 */
async function requireCurrentPassword(
  { userId, currentPassword, origin }: PasswordChange,
  { password_hash: hash, has_ended }: Pick<StoredPassword, 'password_hash' | 'has_ended'>,
): Promise<string> {
  const attempt = { account: userId, ipAddress: origin.ipAddress };
  const isCorrect = await inHashSlot(async () => {
    await takeAttempt(attempt);
    return verifyPassword(currentPassword, hash);
  });
  if (!isCorrect || hash === null) throw invalid('current_password', 'This is not the current password.');
  await returnAttempt(attempt);
  if (has_ended) throw identityErrors.temporary_password_expired();
  return hash;
}

async function storePassword({ userId, sessionId }: PasswordChange, verified: string, newHash: string) {
  const unchanged = { id: userId, password_hash: verified, disabled_at: null };
  const changed = await changeRow(User, unchanged, { password_hash: newHash, must_change_password: false });
  if (!changed) throw identityErrors.password_changed_meanwhile();
  await revokeOtherSessions(userId, sessionId, 'password_changed');
  await deletePasswordReset(userId);
  await recordSecurityEvent({ userId, kind: 'password.changed', sessionId });
  await enqueueNotice({ userId, kind: 'password_changed' });
  return replaceRefreshToken(sessionId);
}
