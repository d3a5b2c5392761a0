/** Sign-in by SAML: off to the identity provider, and back with its response. */
import { authnRequest, newMessageId } from '../../../../gateways/saml/messages.js';
import { readResponse, type VerifiedAssertion } from '../../../../gateways/saml/readResponse.js';
import { signedRedirect } from '../../../../gateways/saml/redirectBinding.js';
import { SamlRefused } from '../../../../gateways/saml/refused.js';
import { databaseNow } from '../../../../models/database/clock.js';
import type { Origin } from '../../../../models/database/connection.js';
import { inTenant } from '../../../../models/database/tenancy.js';
import { beginFlow, type Flow, platformOfFlow, takeFlow } from '../../../../models/identity/sso/flows.js';
import type { SsoPlatform } from '../../../../models/identity/sso/redirects.js';
import { mapPerson } from '../../../../models/identity/sso/saml/attributes.js';
import { rememberMessage } from '../../../../models/identity/sso/saml/seenMessages.js';
import { completeSignIn } from '../../../../models/identity/sso/signIn.js';
import { SignInRefused } from '../../../../models/identity/sso/signInRefused.js';
import { loginUrlOf } from '../oidcProvider.js';
import { addressesOf, envelopeOf, expectedOf, type Party, partyOf } from './party.js';
import { provenBy, whyUnproven } from './provenBy.js';

/** How far the provider's clock may be behind ours when it proves somebody anew. */
const SKEW_MS = 60_000;

interface Start {
  platform: SsoPlatform;
  codeChallenge: string | null;
  reauthenticate: boolean;
}

/** @returns where the browser goes, and what it keeps to be recognized by. @throws Refusal not_found */
export async function startSignOn(slug: string, start: Start): Promise<{ url: string; browserToken: string }> {
  const { connection, configuration, privateKey } = await partyOf(slug);
  const requestId = newMessageId();
  const secrets = { purpose: 'sign-in', begun_at: String(databaseNow()) };
  const { flowId, browserToken } = await beginFlow({ connection, ...start, requestId, secrets });
  const envelope = envelopeOf(configuration, requestId, configuration.sso_url);
  const request = authnRequest(envelope, addressesOf(slug).acsUrl, start.reauthenticate);
  return { url: signedRedirect(configuration.sso_url, 'SAMLRequest', request, flowId, privateKey), browserToken };
}

interface Posted {
  /** The form field SAMLResponse. */
  response: string;
  relayState: string | null;
}

/**
 * InResponseTo of the signed assertion alone selects the flow, and with it the challenge that the code is bound to.
 * RelayState says only where the browser is sent, by naming a flow that is under way; otherwise that is the web.
 * An answer that nobody has asked for signs nobody in: it is asked for.
 * @returns where the browser goes. @throws Refusal not_found, SignInRefused
 */
export async function finishSignOn(slug: string, { response, relayState }: Posted, origin: Origin): Promise<string> {
  const party = await partyOf(slug);
  const begun = relayState === null ? null : await platformOfFlow(relayState);
  const platform = begun ?? 'web';
  const connectionId = party.connection.id;
  let assertion: VerifiedAssertion;
  try {
    assertion = await readResponse(response, expectedOf(party.configuration, party.decryptionKeys));
  } catch (error) {
    if (!(error instanceof SamlRefused)) throw error;
    // With the RelayState of a sign-in of ours it is its answer, and does not say so: asked again, it would not either.
    if (error.reason === 'unsolicited' && begun === null)
      return `${loginUrlOf({ kind: 'saml', slug })}?unsolicited=true`;
    const reason = error.reason === 'status_not_success' ? 'provider_refused' : 'response_invalid';
    throw new SignInRefused(reason, { connectionId, platform, detail: error.reason });
  }
  const flow = await takeFlow({ requestId: assertion.inResponseTo });
  if (flow?.secrets['purpose'] !== 'sign-in' || flow.connectionId !== connectionId) {
    throw new SignInRefused('flow_expired', { connectionId, platform });
  }
  return signIn(party, assertion, { ...flow, platform }, origin);
}

async function signIn(party: Party, assertion: VerifiedAssertion, flow: Flow, origin: Origin): Promise<string> {
  const { connection, configuration } = party;
  const { attributes, nameId, authnInstantMs } = assertion;
  const person = mapPerson(configuration.attribute_mapping, attributes, nameId);
  const proven = provenBy(assertion, person);
  if (!proven) throw new SignInRefused('response_invalid', { ...flow, detail: whyUnproven(person) });
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
