/** Single logout (SAML profiles, 4.4): requests from the provider, and requests to it. */
import { logoutRequest, logoutResponse, newMessageId } from '../../../../gateways/saml/messages.js';
import { readLogoutRequest, readLogoutResponse } from '../../../../gateways/saml/readLogout.js';
import type { NameId } from '../../../../gateways/saml/readResponse.js';
import { decodeMessage, readMessage } from '../../../../gateways/saml/message.js';
import { type RedirectMessage, readRedirect, signedRedirect } from '../../../../gateways/saml/redirectBinding.js';
import { SamlRefused } from '../../../../gateways/saml/refused.js';
import { config } from '../../../../config.js';
import type { Origin } from '../../../../models/database/connection.js';
import { databaseNow } from '../../../../models/database/clock.js';
import { inPlatform, inTenant } from '../../../../models/database/tenancy.js';
import { SignInRefused } from '../../../../models/identity/sso/signInRefused.js';
import { findConnectionById } from '../../../../models/identity/sso/connections.js';
import { beginFlow, consumeFlow } from '../../../../models/identity/sso/flows.js';
import { rememberMessage } from '../../../../models/identity/sso/saml/seenMessages.js';
import { endSessionsOf, type NamedSession } from '../../../../models/identity/sso/saml/singleLogout.js';
import { addressesOf, certificatesOf, envelopeOf, type SamlParty, loadParty } from './party.js';

/** How long a logout request is remembered, to refuse a replay. */
const REPLAY_WINDOW_MS = 10 * 60_000;

/**
 * Processes a message by HTTP-Redirect.
 * @returns the redirect target
 * @throws Refusal not_found, SignInRefused
 */
export const answerRedirect = (slug: string, query: string, origin: Origin): Promise<string> =>
  processMessage(slug, origin, async ({ configuration }) => readRedirect(query, certificatesOf(configuration)));

/**
 * Processes a message in a form, which is signed inside the XML.
 * @returns the redirect target
 * @throws Refusal not_found, SignInRefused
 */
export const answerPosted = (slug: string, form: Map<string, string>, origin: Origin): Promise<string> =>
  processMessage(slug, origin, async ({ configuration }) => {
    const kind = form.has('SAMLRequest') ? 'SAMLRequest' : 'SAMLResponse';
    const xml = decodeMessage(form.get(kind) ?? '');
    readMessage(xml);
    const { signedElement } = await import('../../../../gateways/saml/signature.js');
    const message = await signedElement(xml, 'document', certificatesOf(configuration));
    if (!message) throw new SamlRefused('signature_invalid', 'The message is not signed by a configured certificate.');
    return { kind, message, relayState: form.get('RelayState') ?? null };
  });

async function processMessage(
  slug: string,
  origin: Origin,
  read: (party: SamlParty) => Promise<RedirectMessage>,
): Promise<string> {
  const party = await loadParty(slug);
  try {
    const received = await read(party);
    if (received.kind === 'SAMLRequest') return await endSessions(party, received, origin);
    return await acknowledge(party, received);
  } catch (error) {
    if (!(error instanceof SamlRefused)) throw error;
    throw new SignInRefused('logout_refused', { connectionId: party.connection.id, detail: error.reason });
  }
}

const expectedOf = ({ configuration }: SamlParty) => ({
  idpEntityId: configuration.idp_entity_id,
  slsUrl: addressesOf(configuration.slug).slsUrl,
  nowMs: databaseNow(),
});

async function endSessions(
  party: SamlParty,
  { message, relayState }: RedirectMessage,
  origin: Origin,
): Promise<string> {
  const { connection, configuration, privateKey } = party;
  const request = readLogoutRequest(message, expectedOf(party));
  await inTenant(
    connection.organization_id,
    async () => {
      if (!(await rememberMessage(connection.id, request.id, databaseNow() + REPLAY_WINDOW_MS))) {
        throw new SamlRefused('expired', 'This request was already processed.');
      }
      await endSessionsOf(connection.id, request.nameId, request.sessionIndexes);
    },
    { origin },
  );
  const { slo_url: slo } = configuration;
  if (slo === null) return config.frontendUrl;
  const response = logoutResponse(envelopeOf(configuration, newMessageId(), slo), request.id);
  return signedRedirect(slo, 'SAMLResponse', response, relayState, privateKey);
}

/**
 * Receives the provider's answer to a logout that began here. Our session had ended before the provider was notified.
 */
async function acknowledge(party: SamlParty, { message }: RedirectMessage): Promise<string> {
  const { inResponseTo } = readLogoutResponse(message, expectedOf(party));
  const flow = await consumeFlow({ requestId: inResponseTo });
  if (flow?.secrets['purpose'] !== 'logout' || flow.connectionId !== party.connection.id) {
    throw new SamlRefused('wrong_in_response_to', 'It answers no pending logout request of ours.');
  }
  return config.frontendUrl;
}

/**
 * Starts a logout at the identity provider.
 * @returns the redirect target for the browser; null when the provider offers no single logout
 */
export async function startLogOut(session: NamedSession): Promise<string | null> {
  const connection = await inPlatform(() => findConnectionById(session.configurationId), { readOnly: true });
  if (!connection) return null;
  const { configuration, privateKey } = await loadParty(connection.slug);
  const { slo_url: slo } = configuration;
  if (slo === null) return null;
  const requestId = newMessageId();
  const { flowId } = await beginFlow({
    connection,
    platform: 'web',
    codeChallenge: null,
    reauthenticate: false,
    requestId,
    secrets: { purpose: 'logout' },
  });
  const nameId = { ...(session.attributes as Omit<NameId, 'value'>), value: session.nameId };
  const request = logoutRequest(envelopeOf(configuration, requestId, slo), nameId, session.index);
  return signedRedirect(slo, 'SAMLRequest', request, flowId, privateKey);
}
