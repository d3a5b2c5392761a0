/** Step-up: a signed-in person presents a passkey again, which shows that no one else is using their session. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Origin } from '../../database/connection.js';
import { inTenantIfAny } from '../../database/tenancy.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { acceptCounter } from './acceptCounter.js';
import { passkeyErrors } from './errors.js';
import { proveAssertion } from './proveAssertion.js';

export interface PasskeyProof {
  userId: string;
  /** The organization whose audit log records a failure. */
  organizationId: string | null;
  /** The assertion for a challenge of `POST /api/auth/passkeys/authenticate/begin/`. */
  response: AuthenticationResponseJSON;
  origin: Origin;
}

/**
 * Requires that the response is a valid assertion from a passkey of this person. Even a failed attempt uses the
 * challenge up. Opens its own transactions: do not call it inside one.
 * @throws Refusal passkey_challenge_invalid, passkey_invalid, passkey_needs_reenrollment
 */
export async function provePasskey({ userId, organizationId, response, origin }: PasskeyProof): Promise<void> {
  const inOrganization = <T>(work: () => Promise<T>): Promise<T> => inTenantIfAny(organizationId, work, { origin });
  const assertion = await proveAssertion(response);
  if (!assertion || assertion.userId !== userId || assertion.counter === null) {
    await inOrganization(() =>
      recordSecurityEvent({ userId, kind: 'step_up.refused', details: { method: 'passkey' } }),
    );
    throw passkeyErrors.passkey_invalid();
  }
  const outcome = await inOrganization(() => acceptCounter(assertion));
  if (outcome === 'suspected') throw passkeyErrors.passkey_needs_reenrollment();
  if (outcome === 'gone') throw passkeyErrors.passkey_invalid();
}
