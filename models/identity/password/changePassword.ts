/** A person changes their own password. */
import type { Origin } from '../../database/connection.js';
import { changeRow } from '../../database/model/change.js';
import { inPlatform, inTenantIfAny } from '../../database/tenancy.js';
import { invalid } from '../../errors.js';
import { identityErrors } from '../errors.js';
import { returnAttempt, takeAttempt } from '../failureBudget.js';
import { inHashSlot } from '../hashSlots.js';
import { noticePerson } from '../notices/noticePerson.js';
import { hashPassword, verifyPassword } from './passwordHash.js';
import { requireGoodPassword } from './passwordRules.js';
import { revokeOtherSessions } from '../revokeSessions.js';
import { dropPasswordReset } from './dropPasswordReset.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { User } from '../User.js';
import { type KnownPassword, passwordOf } from './temporaryPassword.js';
import { succeedRefreshToken } from '../succeedRefreshToken.js';
import type { SessionTokens } from '../tokens.js';

export interface PasswordChange {
  userId: string;
  sessionId: string;
  /** The organization whose audit log tells of it. */
  organizationId: string | null;
  currentPassword: string;
  newPassword: string;
  origin: Origin & { ipAddress: string };
  /** Told which outbox rows were written. */
  afterCommit: (outboxIds: string[]) => void;
}

/**
 * Ends every other session, and gives the one that asks new tokens (spec: Credential transport, 5).
 * Opens its own transactions, since no connection may be held while a hash is made: call it outside of one.
 * @throws Refusal validation_error, too_many_failures, password_changed_meanwhile, session_ended,
 * temporary_password_expired
 */
export async function changePassword(change: PasswordChange): Promise<SessionTokens> {
  const { userId, currentPassword, newPassword } = change;
  const { email, first_name, last_name, ...known } = await inPlatform(() => passwordOf(userId));
  const verified = await requireCurrentPassword(change, known);
  if (newPassword.normalize('NFKC') === currentPassword.normalize('NFKC')) {
    throw invalid('new_password', 'Must differ from the current password.');
  }
  await requireGoodPassword(newPassword, { email: email ?? '', first_name, last_name }, 'new_password');
  const newHash = await inHashSlot(() => hashPassword(newPassword));
  const work = () => store(change, verified, newHash);
  const { organizationId, origin, afterCommit } = change;
  return inTenantIfAny(organizationId, work, { origin, afterCommit });
}

/** @returns the hash that it was verified against */
async function requireCurrentPassword(
  { userId, currentPassword, origin }: PasswordChange,
  { password_hash: hash, has_ended }: Pick<KnownPassword, 'password_hash' | 'has_ended'>,
): Promise<string> {
  const attempt = { account: userId, ipAddress: origin.ipAddress };
  const right = await inHashSlot(async () => {
    await takeAttempt(attempt);
    return verifyPassword(currentPassword, hash);
  });
  if (!right || hash === null) throw invalid('current_password', 'This is not the current password.');
  await returnAttempt(attempt);
  if (has_ended) throw identityErrors.temporary_password_expired();
  return hash;
}

async function store({ userId, sessionId }: PasswordChange, verified: string, newHash: string) {
  const still = { id: userId, password_hash: verified, disabled_at: null };
  const changed = await changeRow(User, still, { password_hash: newHash, must_change_password: false });
  if (!changed) throw identityErrors.password_changed_meanwhile();
  await revokeOtherSessions(userId, sessionId, 'password_changed');
  await dropPasswordReset(userId);
  await recordSecurityEvent({ userId, kind: 'password.changed', sessionId });
  await noticePerson({ userId, kind: 'password_changed' });
  return succeedRefreshToken(sessionId);
}
