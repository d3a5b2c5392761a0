/** Sign-in with a passkey: no address is asked for, the passkey says who it is. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Origin } from '../../database/connection.js';
import { inPlatform, inTenantIfAny } from '../../database/tenancy.js';
import { type AccountAtLogin, findAccountById } from '../accounts.js';
import { chosenOrganization, type LoggedIn } from '../logIn.js';
import { recordRefusedSignIn } from '../recordRefusedSignIn.js';
import { type Device, startSession } from '../startSession.js';
import type { SessionTokens } from '../tokens.js';
import { acceptCounter, type CounterOutcome } from './acceptCounter.js';
import { passkeyErrors } from './errors.js';
import { type Assertion, proveAssertion } from './proveAssertion.js';

export interface PasskeySignIn {
  response: AuthenticationResponseJSON;
  /** Id or slug. */
  organization: string | null;
  device: Device;
  origin: Origin;
}

/**
 * Unknown, wrong, somebody else's, of a disabled account or of one that nothing lets in: the same refusal.
 * Opens its own transactions: call it outside of one.
 * @throws Refusal passkey_challenge_invalid, passkey_invalid; organization_forbidden and passkey_needs_reenrollment once
 *   the passkey is proven
 */
export async function signInWithPasskey({ response, organization, device, origin }: PasskeySignIn): Promise<LoggedIn> {
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
  const chosen = chosenOrganization(account, organization);
  const { outcome, tokens } = await begin(assertion, account, chosen?.id ?? null, { device, origin });
  if (outcome === 'suspected') throw passkeyErrors.passkey_needs_reenrollment();
  if (!tokens) throw passkeyErrors.passkey_invalid();
  return { account, organization: chosen, tokens };
}

interface Begun {
  outcome: CounterOutcome;
  tokens: SessionTokens | null;
}

/** The session begins in the transaction that stores the counter. A suspicion is an outcome: it has to be committed. */
function begin(
  assertion: Assertion,
  account: AccountAtLogin,
  organizationId: string | null,
  { device, origin }: Pick<PasskeySignIn, 'device' | 'origin'>,
): Promise<Begun> {
  const work = async (): Promise<Begun> => {
    const outcome = await acceptCounter(assertion);
    if (outcome !== 'accepted') return { outcome, tokens: null };
    return { outcome, tokens: await startSession({ userId: account.id, organizationId, device, method: 'passkey' }) };
  };
  return inTenantIfAny(organizationId, work, { origin: { ...origin, userId: account.id } });
}
