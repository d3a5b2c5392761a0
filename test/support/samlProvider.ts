/** A SAML identity provider for tests: samlify reads our messages and signs its own; xml-crypto signs what it would not. */
import { randomUUID } from 'node:crypto';
import * as samlify from 'samlify';
import { SignedXml } from 'xml-crypto';
import { type KeyPair, makeKeyPair } from '../../gateways/saml/certificate.js';
import { schemaProblems } from './samlSchema.js';

samlify.setSchemaValidator({
  validate: async (xml: string) => {
    const problems = await schemaProblems(xml, 'protocol');
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return 'valid';
  },
});

export const EMAIL_OID = 'urn:oid:0.9.2342.19200300.100.1.3';
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/** Everything that a response says. Times are in seconds from now. */
export interface Said {
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
  /** XML inside of the conditions. */
  condition: string;
}

export interface SamlProvider {
  entityId: string;
  keyPair: KeyPair;
  metadata: string;
  identityProvider: ReturnType<typeof samlify.IdentityProvider>;
}

const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const body = (pem: string): string => pem.replaceAll(/-----[^-]+-----|\s/g, '');
export const base64 = (xml: string): string => Buffer.from(xml).toString('base64');
export const newId = (): string => `_${randomUUID()}`;

export async function aSamlProvider(host = 'idp.example.org', given?: KeyPair): Promise<SamlProvider> {
  const keyPair = given ?? (await makeKeyPair(host, Date.now()));
  const entityId = `https://${host}/metadata`;
  const service = (name: string, where: string) =>
    `<md:${name} Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://${host}/${where}"/>`;
  const metadata = `<!-- of ${host} --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><md:IDPSSODescriptor WantAuthnRequestsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${body(keyPair.certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>${service('SingleLogoutService', 'slo')}${service('SingleSignOnService', 'sso')}</md:IDPSSODescriptor></md:EntityDescriptor>`;
  const identityProvider = samlify.IdentityProvider({
    metadata,
    privateKey: keyPair.privateKey,
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
  });
  return { entityId, keyPair, metadata, identityProvider };
}

/** What an honest provider says to us, over `said`. */
export function responseXml(said: Said): string {
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

/** Our side of one sign-in, as the provider learns it. */
export interface Asked {
  requestId: string;
  acsUrl: string;
  spEntityId: string;
}

export function saidTo({ entityId }: SamlProvider, asked: Asked, over: Partial<Said> = {}): Said {
  return {
    responseId: newId(),
    assertionId: newId(),
    issuer: entityId,
    assertionIssuer: over.issuer ?? entityId,
    destination: asked.acsUrl,
    recipient: asked.acsUrl,
    audience: asked.spEntityId,
    status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    inResponseTo: asked.requestId,
    confirmedInResponseTo: over.inResponseTo === undefined ? asked.requestId : over.inResponseTo,
    method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
    nameId: 'person-1',
    nameIdFormat: PERSISTENT,
    notBefore: -30,
    notOnOrAfter: 300,
    confirmedUntil: 300,
    authnInstant: -5,
    sessionIndex: 'session-1',
    attributes: {},
    condition: '',
    ...over,
  };
}

export interface Signing {
  /** XPath of what is signed. */
  what?: string;
  signatureAlgorithm?: string;
  digestAlgorithm?: string;
  canonicalization?: string;
}

const ASSERTION = "/*[local-name(.)='Response']/*[local-name(.)='Assertion']";

/** Signs by hand. @param keyPair of whoever pretends */
export function signXml(xml: string, keyPair: KeyPair, signing: Signing = {}): string {
  const canonicalizationAlgorithm = signing.canonicalization ?? 'http://www.w3.org/2001/10/xml-exc-c14n#';
  const xpath = signing.what ?? ASSERTION;
  const signed = new SignedXml({
    privateKey: keyPair.privateKey,
    publicCert: keyPair.certificate,
    signatureAlgorithm: signing.signatureAlgorithm ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm,
  });
  signed.addReference({
    xpath,
    digestAlgorithm: signing.digestAlgorithm ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', canonicalizationAlgorithm],
  });
  signed.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signed.getSignedXml();
}
