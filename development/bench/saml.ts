/** A software SAML identity provider with signed responses to the product's requests. */
import { randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { type KeyPair, makeKeyPair } from '../../gateways/saml/certificate.js';
import type { Call } from './protocol.js';
import { ask, loginCall, type World } from './world.js';

const SLUG = 'bench';
const HOST = 'idp.bench.example';
const ENTITY = `https://${HOST}/metadata`;
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ASSERTION = "/*[local-name(.)='Response']/*[local-name(.)='Assertion']";
/**
 * Name of the SAML attribute that carries a person's email address in the product's default mapping (specification:
 * SAML 2.0).
 */
const EMAIL = 'urn:oid:0.9.2342.19200300.100.1.3';

export interface SamlConnection {
  keyPair: KeyPair;
  acsUrl: string;
  audience: string;
}

/** Connects the provider to the organization, in the role of its admin. */
export async function connectSaml(
  base: string,
  { organizationId, members }: World,
  admin: Record<string, string>,
): Promise<SamlConnection> {
  const keyPair = await makeKeyPair(HOST, Date.now());
  const domains = [...new Set(members.map((email) => email.split('@')[1] ?? ''))];
  const body = JSON.stringify({ metadata: metadataOf(keyPair), name: 'Bench', slug: SLUG, domains });
  const path = `/api/organizations/${organizationId}/saml-configurations/import/`;
  const headers = { ...admin, 'Content-Type': 'application/json' };
  const configuration = (await ask(base, { method: 'POST', path, headers, body })) as {
    acs_url: string;
    sp_entity_id: string;
  };
  return { keyPair, acsUrl: configuration.acs_url, audience: configuration.sp_entity_id };
}

/** Begins sign-ins and signs the responses; only receiving them is measured. */
export async function prepareSamlResponses(
  base: string,
  connection: SamlConnection,
  emails: string[],
  count: number,
): Promise<Call[]> {
  const calls: Call[] = [];
  const forwarded = loginCall('').headers['X-Forwarded-For'] ?? '';
  for (let n = 0; n < count; n += 1) {
    const { requestId, relayState } = await beginSignIn(base, forwarded);
    const xml = signed(responseXml(connection, requestId, emails[n % emails.length] ?? ''), connection.keyPair);
    const form = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState };
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': forwarded };
    const body = new URLSearchParams(form).toString();
    calls.push({ method: 'POST', path: `/api/auth/sso/saml/${SLUG}/acs/`, headers, body });
  }
  return calls;
}

async function beginSignIn(base: string, forwarded: string): Promise<{ requestId: string; relayState: string }> {
  const headers = { 'X-Forwarded-For': forwarded };
  const answer = await fetch(`${base}/api/auth/sso/saml/${SLUG}/login/`, { redirect: 'manual', headers });
  const { searchParams } = new URL(answer.headers.get('location') ?? 'none:');
  const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString('utf8');
  return { requestId: /\bID="([^"]+)"/.exec(request)?.[1] ?? '', relayState: searchParams.get('RelayState') ?? '' };
}

function metadataOf({ certificate }: KeyPair): string {
  const base64 = certificate.replaceAll(/-----[^-]+-----|\s/g, '');
  return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${ENTITY}">
<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing">
<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>
</md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://${HOST}/sso"/>
</md:IDPSSODescriptor></md:EntityDescriptor>`;
}

const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

function responseXml({ acsUrl, audience }: SamlConnection, requestId: string, email: string): string {
  const [until, now] = [at(300), at(0)];
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${now}" Destination="${acsUrl}" InResponseTo="${requestId}"><saml:Issuer>${ENTITY}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="_${randomUUID()}" Version="2.0" IssueInstant="${now}"><saml:Issuer>${ENTITY}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">${email}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${until}" Recipient="${acsUrl}" InResponseTo="${requestId}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(-30)}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${now}" SessionIndex="bench"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="${EMAIL}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri"><saml:AttributeValue>${email}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion></samlp:Response>`;
}

function signed(xml: string, { privateKey, certificate }: KeyPair): string {
  const signature = new SignedXml({
    privateKey,
    publicCert: certificate,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  signature.addReference({
    xpath: ASSERTION,
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE],
  });
  const location = { reference: `${ASSERTION}/*[local-name(.)='Issuer']`, action: 'after' as const };
  signature.computeSignature(xml, { prefix: 'ds', location });
  return signature.getSignedXml();
}
