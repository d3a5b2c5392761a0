/** A session proves anew who uses it, before something that a stolen session should not be able to do. */
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
import { passwordOf } from './password/temporaryPassword.js';
import { recordSecurityEvent } from './securityEvents.js';

export type Proof = { password: string } | { passkey: AuthenticationResponseJSON };

export interface StepUp {
  userId: string;
  sessionId: string;
  /** The organization whose audit log tells of it. */
  organizationId: string | null;
  proof: Proof;
  origin: Origin & { ipAddress: string };
}

interface Proven {
  method: AuthMethod;
  /** The hash that was verified against: it must still be the account's. */
  passwordHash: string | null;
}

/**
 * Makes the session's proof a recent one; its tokens stay as they are.
 * Opens its own transactions, since no connection may be held while a hash is made: call it outside of one.
 * @returns when it was proven, as ISO text
 * @throws Refusal validation_error for a wrong password, too_many_failures, session_ended, temporary_password_expired,
 * those of `provePasskey`
 */
export async function stepUp(asked: StepUp): Promise<string> {
  const { proof } = asked;
  const proven = 'passkey' in proof ? await byPasskey(asked, proof.passkey) : await byPassword(asked, proof.password);
  return inOrganization(asked, () => keep(asked, proven));
}

async function byPasskey(
  { userId, organizationId, origin }: StepUp,
  response: AuthenticationResponseJSON,
): Promise<Proven> {
  await provePasskey({ userId, organizationId, response, origin });
  return { method: 'passkey', passwordHash: null };
}

async function byPassword(asked: StepUp, password: string): Promise<Proven> {
  const { userId, origin } = asked;
  const { password_hash: passwordHash, has_ended } = await inPlatform(() => passwordOf(userId));
  const attempt = { account: userId, ipAddress: origin.ipAddress };
  const right = await inHashSlot(async () => {
    await takeAttempt(attempt);
    return verifyPassword(password, passwordHash);
  });
  if (!right) {
    await inOrganization(asked, () => told(asked, 'step_up.refused', 'password'));
    throw invalid('password', 'This is not your password.');
  }
  await returnAttempt(attempt);
  if (has_ended) throw identityErrors.temporary_password_expired();
  return { method: 'password', passwordHash };
}

async function keep(asked: StepUp, { method, passwordHash }: Proven): Promise<string> {
  const kept = await firstRow<{ auth_time: Date }>(
    `UPDATE sessions s SET auth_time = now(), auth_method = $3 FROM users u
      WHERE s.id = $1 AND s.user_id = $2 AND u.id = s.user_id AND s.revoked_at IS NULL AND s.expires_at > now()
        AND u.disabled_at IS NULL AND ($4::text IS NULL OR u.password_hash = $4) RETURNING s.auth_time`,
    [asked.sessionId, asked.userId, method, passwordHash],
  );
  if (!kept) throw identityErrors.session_ended();
  await told(asked, 'step_up.passed', method);
  return kept.auth_time.toISOString();
}

const told = ({ userId, sessionId }: StepUp, kind: string, method: AuthMethod): Promise<void> =>
  recordSecurityEvent({ userId, kind, sessionId, details: { method } });

const inOrganization = <T>({ organizationId, origin }: StepUp, work: () => Promise<T>): Promise<T> =>
  inTenantIfAny(organizationId, work, { origin });
