/** Signs a person in with a passkey. No address is typed, because the passkey identifies the person. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Origin } from '../../database/connection.js';
import { inPlatform, inTenantIfAny } from '../../database/tenancy.js';
import { type AccountAtLogin, findAccountById } from '../accounts.js';
import { requireOrganization, type LoginResult } from '../logIn.js';
import { recordRefusedSignIn } from '../recordRefusedSignIn.js';
import { type Device, startSession } from '../startSession.js';
import type { SessionTokens } from '../tokens.js';
import { acceptCounter, type CounterOutcome } from './acceptCounter.js';
import { passkeyErrors } from './errors.js';
import { type Assertion, proveAssertion } from './proveAssertion.js';

export interface PasskeySignIn {
  response: AuthenticationResponseJSON;
  /** Id or slug of the requested organization. */
  organization: string | null;
  device: Device;
  origin: Origin;
}

/**
 * Signs in with a passkey. An unknown or invalid passkey, another person's passkey, and an account that is disabled or
 * has no access all get the same refusal. Opens its own transactions: do not call it inside one.
 * @throws Refusal passkey_challenge_invalid, passkey_invalid; after the passkey was verified also
 * organization_forbidden, passkey_needs_reenrollment
 */
export async function signInWithPasskey({
  response,
  organization,
  device,
  origin,
}: PasskeySignIn): Promise<LoginResult> {
  const assertion = await proveAssertion(response);
  const account =
    assertion &&
    (await inPlatform(() => findAccountById(assertion.userId, organization?.toLowerCase() ?? null), {
      readOnly: true,
    }));
  const proven = assertion !== null && assertion.counter !== null;
  if (!account || !proven || account.disabled || !account.has_access) {
    await recordRefusedSignIn(account, { method: 'passkey', proven, device, origin });
    throw passkeyErrors.passkey_invalid();
  }
  const chosenTenant = requireOrganization(account, organization);
  const { outcome, tokens } = await beginSession(assertion, account, chosenTenant?.id ?? null, { device, origin });
  if (outcome === 'suspected') throw passkeyErrors.passkey_needs_reenrollment();
  if (!tokens) throw passkeyErrors.passkey_invalid();
  return { account, organization: chosenTenant, tokens };
}

interface SessionStart {
  outcome: CounterOutcome;
  tokens: SessionTokens | null;
}

/**
 * Begins the session in the transaction that stores the signature counter. If the passkey may have been copied, this is
 * returned as an outcome and not thrown, because the transaction must commit.
 */
function beginSession(
  assertion: Assertion,
  account: AccountAtLogin,
  organizationId: string | null,
  { device, origin }: Pick<PasskeySignIn, 'device' | 'origin'>,
): Promise<SessionStart> {
  const work = async (): Promise<SessionStart> => {
    const outcome = await acceptCounter(assertion);
    if (outcome !== 'accepted') return { outcome, tokens: null };
    return { outcome, tokens: await startSession({ userId: account.id, organizationId, device, method: 'passkey' }) };
  };
  return inTenantIfAny(organizationId, work, { origin: { ...origin, userId: account.id } });
}
