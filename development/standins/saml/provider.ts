/** A SAML identity provider built on samlify: its metadata and its responses. For development and tests. */
import { randomUUID } from 'node:crypto';
import * as samlify from 'samlify';
import { certificateBody, type KeyPair } from '../../../gateways/saml/certificate.js';
import { BEARER, NAME_ID, STATUS } from '../../../gateways/saml/names.js';

export const EMAIL_OID = 'urn:oid:0.9.2342.19200300.100.1.3';

/** The fields of a response. Times are in seconds from now. */
export interface ResponseFields {
  responseId: string;
  assertionId: string;
  issuer: string;
  assertionIssuer: string;
  destination: string;
  recipient: string;
  audience: string;
  status: string;
  inResponseTo: string | null;
  confirmedInResponseTo: string | null;
  method: string;
  nameId: string;
  nameIdFormat: string;
  notBefore: number;
  notOnOrAfter: number;
  confirmedUntil: number;
  authnInstant: number;
  sessionIndex: string;
  attributes: Record<string, string>;
  /** Additional XML inside the conditions. */
  condition: string;
}

export interface SamlProvider {
  entityId: string;
  keyPair: KeyPair;
  metadata: string;
  identityProvider: ReturnType<typeof samlify.IdentityProvider>;
}

const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
export const newId = (): string => `_${randomUUID()}`;

/**
 * Creates the identity provider and its metadata.
 * @param base base of the provider's addresses `/metadata`, `/sso` and `/slo`
 */
export function samlProvider(base: string, keyPair: KeyPair): SamlProvider {
  const entityId = `${base}/metadata`;
  const service = (name: string, where: string) =>
    `<md:${name} Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${base}/${where}"/>`;
  const metadata = `<!-- of ${new URL(base).host} --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><md:IDPSSODescriptor WantAuthnRequestsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificateBody(keyPair.certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>${service('SingleLogoutService', 'slo')}${service('SingleSignOnService', 'sso')}</md:IDPSSODescriptor></md:EntityDescriptor>`;
  const identityProvider = samlify.IdentityProvider({
    metadata,
    privateKey: keyPair.privateKey,
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
  });
  return { entityId, keyPair, metadata, identityProvider };
}

/** Returns the XML of a response with these fields. */
export function responseXml(said: ResponseFields): string {
  const attributes = Object.entries(said.attributes).map(
    ([name, value]) =>
      `<saml:Attribute Name="${name}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
  );
  const answers = (id: string | null) => (id === null ? '' : ` InResponseTo="${id}"`);
  const assertion =
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${said.assertionId}" Version="2.0" IssueInstant="${at(0)}">` +
    `<saml:Issuer>${said.assertionIssuer}</saml:Issuer><saml:Subject><saml:NameID Format="${said.nameIdFormat}">${said.nameId}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="${said.method}"><saml:SubjectConfirmationData NotOnOrAfter="${at(said.confirmedUntil)}"` +
    ` Recipient="${said.recipient}"${answers(said.confirmedInResponseTo)}/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${at(said.notBefore)}" NotOnOrAfter="${at(said.notOnOrAfter)}">` +
    `<saml:AudienceRestriction><saml:Audience>${said.audience}</saml:Audience></saml:AudienceRestriction>${said.condition}</saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${at(said.authnInstant)}" SessionIndex="${said.sessionIndex}"><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion>`;
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${said.responseId}" Version="2.0" IssueInstant="${at(0)}"` +
    ` Destination="${said.destination}"${answers(said.inResponseTo)}>` +
    `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${said.issuer}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="${said.status}"/></samlp:Status>${assertion}</samlp:Response>`
  );
}

/** Fields of the platform's sign-in request, to which the response refers. */
export interface AuthnRequestFields {
  requestId: string;
  acsUrl: string;
  spEntityId: string;
}

export function responseFieldsFor(
  { entityId }: SamlProvider,
  request: AuthnRequestFields,
  overrides: Partial<ResponseFields> = {},
): ResponseFields {
  return {
    responseId: newId(),
    assertionId: newId(),
    issuer: entityId,
    assertionIssuer: overrides.issuer ?? entityId,
    destination: request.acsUrl,
    recipient: request.acsUrl,
    audience: request.spEntityId,
    status: STATUS.success,
    inResponseTo: request.requestId,
    confirmedInResponseTo: overrides.inResponseTo === undefined ? request.requestId : overrides.inResponseTo,
    method: BEARER,
    nameId: 'person-1',
    nameIdFormat: NAME_ID.persistent,
    notBefore: -30,
    notOnOrAfter: 300,
    confirmedUntil: 300,
    authnInstant: -5,
    sessionIndex: 'session-1',
    attributes: {},
    condition: '',
    ...overrides,
  };
}
