/** Step-up: a signed-in person authenticates again before an action that must not be possible with a stolen session. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Origin } from '../database/connection.js';
import { firstRow } from '../database/rows.js';
import { inPlatform, inTenantIfAny } from '../database/tenancy.js';
import { invalid } from '../errors.js';
import type { AuthMethod } from './Actor.js';
import { identityErrors } from './errors.js';
import { returnAttempt, takeAttempt } from './failureBudget.js';
import { inHashSlot } from './hashSlots.js';
import { provePasskey } from './passkeys/provePasskey.js';
import { verifyPassword } from './password/passwordHash.js';
import { readPassword } from './password/temporaryPassword.js';
import { recordSecurityEvent } from './securityEvents.js';

export type Proof = { password: string } | { passkey: AuthenticationResponseJSON };

export interface StepUp {
  userId: string;
  sessionId: string;
  /** The organization whose audit log records the step-up. */
  organizationId: string | null;
  proof: Proof;
  origin: Origin & { ipAddress: string };
}

interface VerifiedProof {
  method: AuthMethod;
  /** The password hash against which the password was verified; it must still be the account's. Null for a passkey. */
  passwordHash: string | null;
}

/**
 * Verifies the person again and updates the session's authentication time. The session's tokens stay the same. Opens
 * its own transactions, because no connection may be held while a password is hashed: do not call it inside a
 * transaction.
 * @returns when the person authenticated, as ISO text
 * @throws Refusal validation_error for a wrong password, too_many_failures, session_ended, temporary_password_expired,
 * and the refusals of `provePasskey`
 */
export async function stepUp(request: StepUp): Promise<string> {
  const { proof } = request;
  const proven =
    'passkey' in proof
      ? await verifyByPasskey(request, proof.passkey)
      : await verifyByPassword(request, proof.password);
  return inOrganization(request, () => storeProof(request, proven));
}

async function verifyByPasskey(
  { userId, organizationId, origin }: StepUp,
  response: AuthenticationResponseJSON,
): Promise<VerifiedProof> {
  await provePasskey({ userId, organizationId, response, origin });
  return { method: 'passkey', passwordHash: null };
}

async function verifyByPassword(request: StepUp, password: string): Promise<VerifiedProof> {
  const { userId, origin } = request;
  const { password_hash: passwordHash, has_ended } = await inPlatform(() => readPassword(userId));
  const attempt = { account: userId, ipAddress: origin.ipAddress };
  const isCorrect = await inHashSlot(async () => {
    await takeAttempt(attempt);
    return verifyPassword(password, passwordHash);
  });
  if (!isCorrect) {
    await inOrganization(request, () => recordEvent(request, 'step_up.refused', 'password'));
    throw invalid('password', 'This is not your password.');
  }
  await returnAttempt(attempt);
  if (has_ended) throw identityErrors.temporary_password_expired();
  return { method: 'password', passwordHash };
}

async function storeProof(request: StepUp, { method, passwordHash }: VerifiedProof): Promise<string> {
  const session = await firstRow<{ auth_time: Date }>(
    `UPDATE sessions s SET auth_time = now(), auth_method = $3 FROM users u
      WHERE s.id = $1 AND s.user_id = $2 AND u.id = s.user_id AND s.revoked_at IS NULL AND s.expires_at > now()
        AND u.disabled_at IS NULL AND ($4::text IS NULL OR u.password_hash = $4) RETURNING s.auth_time`,
    [request.sessionId, request.userId, method, passwordHash],
  );
  if (!session) throw identityErrors.session_ended();
  await recordEvent(request, 'step_up.passed', method);
  return session.auth_time.toISOString();
}

const recordEvent = ({ userId, sessionId }: StepUp, kind: string, method: AuthMethod): Promise<void> =>
  recordSecurityEvent({ userId, kind, sessionId, details: { method } });

const inOrganization = <T>({ organizationId, origin }: StepUp, work: () => Promise<T>): Promise<T> =>
  inTenantIfAny(organizationId, work, { origin });
