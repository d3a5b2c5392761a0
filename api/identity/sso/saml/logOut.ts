/** Single logout (SAML profiles, 4.4), both ways. */
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
import { beginFlow, takeFlow } from '../../../../models/identity/sso/flows.js';
import { rememberMessage } from '../../../../models/identity/sso/saml/seenMessages.js';
import { endSessionsOf, type NamedSession } from '../../../../models/identity/sso/saml/singleLogout.js';
import { addressesOf, certificatesOf, envelopeOf, type Party, partyOf } from './party.js';

/** A request's sessions end when it is refused no more: for so long it is remembered. */
const REMEMBERED_MS = 10 * 60_000;

/** @returns where the browser goes after a message by HTTP-Redirect. @throws Refusal not_found, SignInRefused */
export const answerRedirect = (slug: string, query: string, origin: Origin): Promise<string> =>
  answer(slug, origin, async ({ configuration }) => readRedirect(query, certificatesOf(configuration)));

/** The same for a message in a form, signed inside. @throws Refusal not_found, SignInRefused */
export const answerPosted = (slug: string, form: Map<string, string>, origin: Origin): Promise<string> =>
  answer(slug, origin, async ({ configuration }) => {
    const kind = form.has('SAMLRequest') ? 'SAMLRequest' : 'SAMLResponse';
    const xml = decodeMessage(form.get(kind) ?? '');
    readMessage(xml);
    const { signedElement } = await import('../../../../gateways/saml/signature.js');
    const message = await signedElement(xml, 'document', certificatesOf(configuration));
    if (!message) throw new SamlRefused('signature_invalid', 'The message is not signed by a configured certificate.');
    return { kind, message, relayState: form.get('RelayState') ?? null };
  });

async function answer(slug: string, origin: Origin, read: (party: Party) => Promise<RedirectMessage>): Promise<string> {
  const party = await partyOf(slug);
  try {
    const received = await read(party);
    if (received.kind === 'SAMLRequest') return await endSessions(party, received, origin);
    return await acknowledge(party, received);
  } catch (error) {
    if (!(error instanceof SamlRefused)) throw error;
    throw new SignInRefused('logout_refused', { connectionId: party.connection.id, detail: error.reason });
  }
}

const expectedOf = ({ configuration }: Party) => ({
  idpEntityId: configuration.idp_entity_id,
  slsUrl: addressesOf(configuration.slug).slsUrl,
  nowMs: databaseNow(),
});

async function endSessions(party: Party, { message, relayState }: RedirectMessage, origin: Origin): Promise<string> {
  const { connection, configuration, privateKey } = party;
  const request = readLogoutRequest(message, expectedOf(party));
  await inTenant(
    connection.organization_id,
    async () => {
      if (!(await rememberMessage(connection.id, request.id, databaseNow() + REMEMBERED_MS))) {
        throw new SamlRefused('expired', 'This request was acted on before.');
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

/** The end of a logout that began here: the session had ended before the provider was told. */
async function acknowledge(party: Party, { message }: RedirectMessage): Promise<string> {
  const { inResponseTo } = readLogoutResponse(message, expectedOf(party));
  const flow = await takeFlow({ requestId: inResponseTo });
  if (flow?.secrets['purpose'] !== 'logout' || flow.connectionId !== party.connection.id) {
    throw new SamlRefused('wrong_in_response_to', 'No logout of ours is under way that it answers.');
  }
  return config.frontendUrl;
}

/** @returns where the browser goes to end the session at the identity provider; null when it offers no single logout */
export async function startLogOut(session: NamedSession): Promise<string | null> {
  const connection = await inPlatform(() => findConnectionById(session.configurationId), { readOnly: true });
  if (!connection) return null;
  const { configuration, privateKey } = await partyOf(connection.slug);
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
