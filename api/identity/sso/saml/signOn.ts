/** Sign-in by SAML: the request to the identity provider, and its response. */
import { authnRequest, newMessageId } from '../../../../gateways/saml/messages.js';
import { readResponse, type VerifiedAssertion } from '../../../../gateways/saml/readResponse.js';
import { signedRedirect } from '../../../../gateways/saml/redirectBinding.js';
import { SamlRefused } from '../../../../gateways/saml/refused.js';
import { databaseNow } from '../../../../models/database/clock.js';
import type { Origin } from '../../../../models/database/connection.js';
import { inTenant } from '../../../../models/database/tenancy.js';
import { beginFlow, type Flow, platformOfFlow, consumeFlow } from '../../../../models/identity/sso/flows.js';
import type { SsoPlatform } from '../../../../models/identity/sso/redirects.js';
import { mapPerson } from '../../../../models/identity/sso/saml/attributes.js';
import { rememberMessage } from '../../../../models/identity/sso/saml/seenMessages.js';
import { completeSignIn } from '../../../../models/identity/sso/signIn.js';
import { SignInRefused } from '../../../../models/identity/sso/signInRefused.js';
import { loginUrlOf } from '../oidcProvider.js';
import { addressesOf, envelopeOf, expectedOf, type SamlParty, loadParty } from './party.js';
import { identityFromAssertion, explainUnusable } from './identityFromAssertion.js';

/**
 * When a new authentication is required, the provider must report a time after the start of the sign-in. This is the
 * maximum by which its clock may be behind ours.
 */
const SKEW_MS = 60_000;

interface SignOnOptions {
  platform: SsoPlatform;
  codeChallenge: string | null;
  reauthenticate: boolean;
}

/**
 * Starts a sign-in.
 * @returns the provider's address for the browser, and the token for the browser's flow cookie
 * @throws Refusal not_found
 */
export async function startSignOn(
  slug: string,
  options: SignOnOptions,
): Promise<{ url: string; browserToken: string }> {
  const { connection, configuration, privateKey } = await loadParty(slug);
  const requestId = newMessageId();
  const secrets = { purpose: 'sign-in', begun_at: String(databaseNow()) };
  const { flowId, browserToken } = await beginFlow({ connection, ...options, requestId, secrets });
  const envelope = envelopeOf(configuration, requestId, configuration.sso_url);
  const request = authnRequest(envelope, addressesOf(slug).acsUrl, options.reauthenticate);
  return { url: signedRedirect(configuration.sso_url, 'SAMLRequest', request, flowId, privateKey), browserToken };
}

interface PostedResponse {
  /** The form field SAMLResponse. */
  response: string;
  relayState: string | null;
}

/**
 * Finishes a sign-in. Only InResponseTo of the signed assertion selects the flow, and with it the challenge that the
 * code is bound to. RelayState only selects the callback, by naming a pending flow; the default is web. An unsolicited
 * response signs no one in: the browser is redirected to send a request.
 * @returns the redirect target
 * @throws Refusal not_found, SignInRefused
 */
export async function finishSignOn(
  slug: string,
  { response, relayState }: PostedResponse,
  origin: Origin,
): Promise<string> {
  const party = await loadParty(slug);
  const flowPlatform = relayState === null ? null : await platformOfFlow(relayState);
  const platform = flowPlatform ?? 'web';
  const connectionId = party.connection.id;
  let assertion: VerifiedAssertion;
  try {
    assertion = await readResponse(response, expectedOf(party.configuration, party.decryptionKeys));
  } catch (error) {
    if (!(error instanceof SamlRefused)) throw error;
    // Start a new sign-in only if no sign-in is pending for this response. If its RelayState names a pending sign-in,
    // the provider only left out InResponseTo, and would leave it out again.
    if (error.reason === 'unsolicited' && flowPlatform === null)
      return `${loginUrlOf({ kind: 'saml', slug })}?unsolicited=true`;
    const reason = error.reason === 'status_not_success' ? 'provider_refused' : 'response_invalid';
    throw new SignInRefused(reason, { connectionId, platform, detail: error.reason });
  }
  const flow = await consumeFlow({ requestId: assertion.inResponseTo });
  if (flow?.secrets['purpose'] !== 'sign-in' || flow.connectionId !== connectionId) {
    throw new SignInRefused('flow_expired', { connectionId, platform });
  }
  return signIn(party, assertion, { ...flow, platform }, origin);
}

async function signIn(party: SamlParty, assertion: VerifiedAssertion, flow: Flow, origin: Origin): Promise<string> {
  const { connection, configuration } = party;
  const { attributes, nameId, authnInstantMs } = assertion;
  const person = mapPerson(configuration.attribute_mapping, attributes, nameId);
  const proven = identityFromAssertion(assertion, person);
  if (!proven) throw new SignInRefused('response_invalid', { ...flow, detail: explainUnusable(person) });
  const begunAt = Number(flow.secrets['begun_at']);
  if (flow.reauthenticate && !(authnInstantMs >= begunAt - SKEW_MS)) {
    throw new SignInRefused('reauthentication_unproven', flow);
  }
  const isNew = await inTenant(connection.organization_id, () =>
    rememberMessage(connection.id, assertion.id, assertion.expiresAtMs),
  );
  if (!isNew) throw new SignInRefused('response_invalid', { ...flow, detail: 'replayed' });
  return completeSignIn(flow, proven, origin);
}
