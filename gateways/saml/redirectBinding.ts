/**
 * The HTTP-Redirect binding (SAML bindings, 3.4): messages in a query, with a signature over the exact bytes of the
 * query.
 */
import { constants, sign, verify } from 'node:crypto';
import { inflateRawSync, deflateRawSync } from 'node:zlib';
import { SIGNATURE_ALGORITHMS } from './names.js';
import { readMessage } from './message.js';
import { SamlRefused } from './refused.js';
import type { Element } from './xml.js';

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const MAX_MESSAGE_BYTES = 262_144;

export type MessageKind = 'SAMLRequest' | 'SAMLResponse';

/**
 * Returns the signed URL to which the browser is redirected.
 * @param location the address of the identity provider; it may have a query
 * @param relayState null: none
 */
export function signedRedirect(
  location: string,
  kind: MessageKind,
  xml: string,
  relayState: string | null,
  privateKey: string,
): string {
  const deflated = deflateRawSync(Buffer.from(xml, 'utf8')).toString('base64');
  const fields = [
    [kind, deflated],
    ...(relayState === null ? [] : [['RelayState', relayState]]),
    ['SigAlg', RSA_SHA256],
  ];
  const query = fields.map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`).join('&');
  const signature = sign('sha256', Buffer.from(query), privateKey).toString('base64');
  return `${location}${location.includes('?') ? '&' : '?'}${query}&Signature=${encodeURIComponent(signature)}`;
}

export interface RedirectMessage {
  kind: MessageKind;
  message: Element;
  relayState: string | null;
}

/**
 * Verifies and reads a message.
 * @param query the raw query of the URL
 * @throws SamlRefused malformed, signature_invalid
 */
export function readRedirect(query: string, certificates: readonly string[]): RedirectMessage {
  const raw = fieldsOf(query);
  const kinds = (['SAMLRequest', 'SAMLResponse'] as const).filter((name) => raw.has(name));
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    throw new SamlRefused('malformed', 'The query must have exactly one SAMLRequest or SAMLResponse.');
  requireSignature(raw, kind, certificates);
  const relayState = raw.has('RelayState') ? decodeField(raw, 'RelayState') : null;
  return { kind, message: readMessage(inflate(decodeField(raw, kind))), relayState };
}

/** Returns the raw fields. Duplicates are refused, so that the signed value and the read value are the same. */
function fieldsOf(query: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const pair of query.split('&').filter((text) => text !== '')) {
    const [name = '', ...rest] = pair.split('=');
    if (fields.has(name)) throw new SamlRefused('malformed', `The field ${name.slice(0, 40)} occurs twice.`);
    fields.set(name, rest.join('='));
  }
  return fields;
}

function decodeField(raw: Map<string, string>, name: string): string {
  try {
    return decodeURIComponent((raw.get(name) ?? '').replaceAll('+', ' '));
  } catch {
    throw new SamlRefused('malformed', `The field ${name} is not URL-encoded.`);
  }
}

function requireSignature(raw: Map<string, string>, kind: MessageKind, certificates: readonly string[]): void {
  const algorithm = SIGNATURE_ALGORITHMS.get(decodeField(raw, 'SigAlg'));
  const signature = Buffer.from(decodeField(raw, 'Signature').replaceAll(/\s/g, ''), 'base64');
  const names = [kind, ...(raw.has('RelayState') ? ['RelayState'] : []), 'SigAlg'];
  const signed = Buffer.from(names.map((name) => `${name}=${raw.get(name) ?? ''}`).join('&'));
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const padding = algorithm?.pss ? pss : { padding: constants.RSA_PKCS1_PADDING };
  const isValid = certificates.some(
    (key) => algorithm !== undefined && verify(algorithm.hash, signed, { key, ...padding }, signature),
  );
  if (!isValid) throw new SamlRefused('signature_invalid', 'The message is not signed by a configured certificate.');
}

function inflate(encoded: string): string {
  try {
    const bytes = Buffer.from(encoded.replaceAll(/\s/g, ''), 'base64');
    return new TextDecoder('utf-8', { fatal: true }).decode(
      inflateRawSync(bytes, { maxOutputLength: MAX_MESSAGE_BYTES }),
    );
  } catch {
    throw new SamlRefused('malformed', 'The message cannot be decompressed.');
  }
}
