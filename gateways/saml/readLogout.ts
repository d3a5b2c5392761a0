/** Reads logout messages of an identity provider whose signature `readRedirect` or `signedElement` has verified. */
import { NS, STATUS } from './names.js';
import { SamlRefused } from './refused.js';
import { instantOf, requireWithin } from './time.js';
import { childrenOf, type Element } from './xml.js';

interface Expected {
  idpEntityId: string;
  slsUrl: string;
  nowMs: number;
}

/**
 * How long a request without an expiry of its own is accepted. A longer period would let an observer replay it to end
 * later sessions.
 */
const REQUEST_TTL_MS = 5 * 60_000;

export interface LogoutRequest {
  id: string;
  nameId: string;
  /** The sessions that end; empty: all sessions of the person. */
  sessionIndexes: string[];
}

/**
 * Reads a logout request.
 * @throws SamlRefused
 */
export function readLogoutRequest(message: Element, expected: Expected): LogoutRequest {
  requireEnvelope(message, 'LogoutRequest', expected);
  const { ID: id, IssueInstant: issued, NotOnOrAfter } = message.attributes;
  if (!id || issued === undefined) throw new SamlRefused('malformed', 'The request has no id or no time.');
  const until = NotOnOrAfter ?? new Date(instantOf(issued) + REQUEST_TTL_MS).toISOString();
  requireWithin({ NotBefore: issued, NotOnOrAfter: until }, expected.nowMs, 'The request');
  const nameIds = childrenOf(message, NS.assertion, 'NameID');
  const nameId = nameIds[0]?.text.trim();
  if (nameIds.length !== 1 || !nameId) throw new SamlRefused('no_subject', 'The request has no NameID.');
  const sessionIndexes = childrenOf(message, NS.protocol, 'SessionIndex')
    .map(({ text }) => text.trim())
    .filter(Boolean);
  return { id, nameId, sessionIndexes };
}

/**
 * Reads a logout response.
 * @returns the id of the request that it answers
 * @throws SamlRefused
 */
export function readLogoutResponse(message: Element, expected: Expected): { inResponseTo: string; success: boolean } {
  requireEnvelope(message, 'LogoutResponse', expected);
  const inResponseTo = message.attributes['InResponseTo'];
  if (!inResponseTo) throw new SamlRefused('wrong_in_response_to', 'The response has no InResponseTo.');
  const [status] = childrenOf(message, NS.protocol, 'Status');
  const [code] = status ? childrenOf(status, NS.protocol, 'StatusCode') : [];
  return { inResponseTo, success: code?.attributes['Value'] === STATUS.success };
}

function requireEnvelope(message: Element, name: string, { idpEntityId, slsUrl }: Expected): void {
  if (message.name !== name || message.namespace !== NS.protocol) {
    throw new SamlRefused('malformed', `The message is not a ${name}.`);
  }
  const [issuer] = childrenOf(message, NS.assertion, 'Issuer');
  if (issuer?.text.trim() !== idpEntityId)
    throw new SamlRefused('wrong_issuer', 'The issuer is not the configured identity provider.');
  // A signed message must name its destination (SAML bindings, 3.4.5.2).
  if (message.attributes['Destination'] !== slsUrl) {
    throw new SamlRefused('wrong_destination', 'The message was sent to another address.');
  }
}
