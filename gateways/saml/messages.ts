/** Writes our messages to identity providers: our metadata, and the messages that `signedRedirect` sends. */
import { randomBytes } from 'node:crypto';
import { certificateBody } from './certificate.js';
import { BINDING, NAME_ID, NS, STATUS } from './names.js';
import type { NameId } from './readResponse.js';
import { escapeXml } from './xml.js';

/**
 * Our side of one connection. Each connection has its own entity id, so that an assertion for one is invalid for
 * another.
 */
export interface ServiceProvider {
  entityId: string;
  acsUrl: string;
  slsUrl: string;
  /** PEM. */
  certificate: string;
  /** PEM: the certificate for encrypted assertions; null: none. */
  encryptionCertificate: string | null;
}

/** Returns a random id of 256 bits. It begins with an underscore, because XML ids must not begin with a digit. */
export const newMessageId = (): string => `_${randomBytes(32).toString('hex')}`;

/** Returns our metadata for the identity provider's administrator (SAML metadata, 2.4.4). */
export function metadataXml({ entityId, acsUrl, slsUrl, certificate, encryptionCertificate }: ServiceProvider): string {
  const encryption = encryptionCertificate === null ? '' : keyDescriptor('encryption', encryptionCertificate);
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${NS.metadata}" xmlns:ds="${NS.signature}" entityID="${escapeXml(entityId)}">
  <md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="${NS.protocol}">
${keyDescriptor('signing', certificate)}${encryption}    <md:SingleLogoutService Binding="${BINDING.redirect}" Location="${escapeXml(slsUrl)}"/>
    <md:NameIDFormat>${NAME_ID.persistent}</md:NameIDFormat>
    <md:NameIDFormat>${NAME_ID.email}</md:NameIDFormat>
    <md:AssertionConsumerService Binding="${BINDING.post}" Location="${escapeXml(acsUrl)}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`;
}

/** The encryption methods that we accept, in the order of preference (SAML metadata, 2.4.1.1). */
const ENCRYPTION_METHODS = [
  `${NS.encryption11}aes256-gcm`,
  `${NS.encryption11}aes128-gcm`,
  `${NS.encryption}aes256-cbc`,
  `${NS.encryption}aes128-cbc`,
  `${NS.encryption}rsa-oaep-mgf1p`,
];

function keyDescriptor(use: 'signing' | 'encryption', certificate: string): string {
  const methods = use === 'signing' ? [] : ENCRYPTION_METHODS;
  return `    <md:KeyDescriptor use="${use}">
      <ds:KeyInfo>
        <ds:X509Data>
          <ds:X509Certificate>${certificateBody(certificate)}</ds:X509Certificate>
        </ds:X509Data>
      </ds:KeyInfo>
${methods.map((name) => `      <md:EncryptionMethod Algorithm="${name}"/>\n`).join('')}    </md:KeyDescriptor>
`;
}

interface Envelope {
  id: string;
  destination: string;
  issuer: string;
  nowMs: number;
}

const startTag = (name: string, { id, destination, nowMs }: Envelope, more = ''): string =>
  `<samlp:${name} xmlns:samlp="${NS.protocol}" xmlns:saml="${NS.assertion}" ID="${id}" Version="2.0"` +
  ` IssueInstant="${new Date(nowMs).toISOString()}" Destination="${escapeXml(destination)}"${more}>`;

const issuerOf = ({ issuer }: Envelope): string => `<saml:Issuer>${escapeXml(issuer)}</saml:Issuer>`;

/**
 * Returns the XML of a sign-in request.
 * @param forceAuthn whether the person must sign in again, even with a session at the provider
 */
export function authnRequest(envelope: Envelope, acsUrl: string, forceAuthn: boolean): string {
  const more =
    ` ProtocolBinding="${BINDING.post}" AssertionConsumerServiceURL="${escapeXml(acsUrl)}"` +
    (forceAuthn ? ' ForceAuthn="true"' : '');
  // No format of the identifier is requested. It is configured at the provider, and most providers answer an unknown
  // format with an error.
  return `${startTag('AuthnRequest', envelope, more)}${issuerOf(envelope)}<samlp:NameIDPolicy AllowCreate="true"/></samlp:AuthnRequest>`;
}

const LOGOUT_TTL_SECONDS = 300;

export function logoutRequest(envelope: Envelope, nameId: NameId, sessionIndex: string | null): string {
  const attributes = { ...(nameId.format === null ? {} : { Format: nameId.format }), ...nameId.qualifiers };
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  const index = sessionIndex === null ? '' : `<samlp:SessionIndex>${escapeXml(sessionIndex)}</samlp:SessionIndex>`;
  const until = new Date(envelope.nowMs + LOGOUT_TTL_SECONDS * 1000).toISOString();
  return (
    `${startTag('LogoutRequest', envelope, ` NotOnOrAfter="${until}"`)}${issuerOf(envelope)}` +
    `<saml:NameID${written.join('')}>${escapeXml(nameId.value)}</saml:NameID>${index}</samlp:LogoutRequest>`
  );
}

export function logoutResponse(envelope: Envelope, inResponseTo: string): string {
  return (
    `${startTag('LogoutResponse', envelope, ` InResponseTo="${escapeXml(inResponseTo)}"`)}${issuerOf(envelope)}` +
    `<samlp:Status><samlp:StatusCode Value="${STATUS.success}"/></samlp:Status></samlp:LogoutResponse>`
  );
}
