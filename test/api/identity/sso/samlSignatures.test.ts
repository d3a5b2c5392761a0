/** Tests signatures as universities' providers make them (inclusive form, RSA-PSS), and reasons of a refusal. */
import { constants, createHash, sign } from 'node:crypto';
import { validateXML } from 'xmllint-wasm';
import { config } from '../../../../config.js';
import { type KeyPair, makeKeyPair } from '../../../../gateways/saml/certificate.js';
import { logoutRequest } from '../../../../gateways/saml/messages.js';
import { Client } from '../../../support/api.js';
import { anApi } from '../../../support/apiWorld.js';
import {
  base64,
  EMAIL_OID,
  newId,
  responseXml,
  type ResponseFields,
  responseFieldsFor,
  signXml,
} from '../../../support/samlProvider.js';
import { withEncrypted } from '../../../support/samlEncryption.js';
import { aSamlWorld, beginSignIn, postResponse, type SamlWorld, type SignIn } from '../../../support/samlWorld.js';

const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const PSS = 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
/** Namespaces that the assertion inherits from the response; inclusive canonical form includes them. */
const INHERITED = ' xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"';

let world: SamlWorld;

Object.assign(config, { THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const api = anApi();
beforeAll(async () => {
  world = await aSamlWorld(api.url);
});

const response = (flow: SignIn, over: Partial<ResponseFields> = {}): string =>
  responseXml(
    responseFieldsFor(world.provider, flow, {
      nameId: world.member.email,
      attributes: { [EMAIL_OID]: world.member.email },
      ...over,
    }),
  );
const end = async (xml: string, flow: SignIn) => (await postResponse(world, base64(xml), flow.relayState)).location;

async function dryRun(xml: string) {
  const path = `/api/organizations/${world.organizationId}/saml-configurations/${world.configuration.id}/test/`;
  return (await new Client(api.url, { token: world.admin.token }).post(path, { saml_response: base64(xml) })).body;
}

/** Makes the inclusive canonical form with libxml2, which is not the library that verifies. */
async function canonical(xml: string): Promise<string> {
  const { normalized, errors } = await validateXML({
    xml: { fileName: 'given.xml', contents: xml },
    schema: { fileName: 'any.xsd', contents: ANY },
    normalization: 'c14n',
  });
  if (!normalized) throw new Error(errors.map(({ message }) => message).join());
  return normalized.trim();
}
const ANY = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="any"/></xs:schema>';

/** Signs the assertion of a response in inclusive canonical form, without the library that verifies. */
async function signInclusively(xml: string, key: KeyPair): Promise<string> {
  const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] as string;
  const id = / ID="([^"]*)"/.exec(assertion)?.[1] as string;
  const inContext = (text: string, more: string) => text.replace(/^<([\w:]+)/, `<$1${more}`);
  const digest = createHash('sha256')
    .update(await canonical(inContext(assertion, INHERITED)))
    .digest('base64');
  const signedInfo =
    `<ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${INCLUSIVE}"/><ds:SignatureMethod Algorithm="${RSA_SHA256}"/>` +
    `<ds:Reference URI="#${id}"><ds:Transforms><ds:Transform Algorithm="${DSIG}enveloped-signature"/>` +
    `<ds:Transform Algorithm="${INCLUSIVE}"/></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>` +
    `<ds:DigestValue>${digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>`;
  const around = `${INHERITED} xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:ds="${DSIG}"`;
  const value = sign('sha256', Buffer.from(await canonical(inContext(signedInfo, around))), key.privateKey);
  const signature = `<ds:Signature xmlns:ds="${DSIG}">${signedInfo}<ds:SignatureValue>${value.toString('base64')}</ds:SignatureValue></ds:Signature>`;
  return xml.replace(assertion, assertion.replace('</saml:Issuer>', `</saml:Issuer>${signature}`));
}

test('an assertion signed in inclusive canonical form is accepted', async () => {
  const flow = await beginSignIn(world);
  const xml = await signInclusively(response(flow), world.provider.keyPair);
  expect((await dryRun(xml)).detail).toBeNull();
  expect(await end(xml, flow)).toContain('?code=');
});

test('an assertion in inclusive form is refused after a change of it or of the namespaces around it', async () => {
  const flow = await beginSignIn(world);
  const xml = await signInclusively(response(flow), world.provider.keyPair);
  expect((await dryRun(xml.replaceAll(world.member.email, world.admin.email))).signature_problem).toBe(
    'digest_mismatch',
  );
  const elsewhere = xml.replace('<samlp:Response', '<samlp:Response xmlns:more="urn:more"');
  expect((await dryRun(elsewhere)).reason).toBe('signature_invalid');
});

test('an encrypted assertion keeps its inclusive signature, although decryption takes it out of its context', async () => {
  const path = `/api/organizations/${world.organizationId}/saml-configurations/${world.configuration.id}/encryption-key/`;
  await new Client(api.url, { token: world.admin.token }).post(path, {});
  const metadata = await (await fetch(`${api.url}/api/auth/sso/saml/${world.slug}/metadata/`)).text();
  const body = /use="encryption"[\s\S]*?<ds:X509Certificate>([^<]*)</.exec(metadata)?.[1];
  const certificate = `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`;
  const flow = await beginSignIn(world);
  const xml = withEncrypted(await signInclusively(response(flow), world.provider.keyPair), certificate);
  expect(await end(xml, flow)).toContain('?code=');
});

test.each([EXCLUSIVE, INCLUSIVE])('a signature by RSA-PSS is accepted with %s', async (canonicalization) => {
  const flow = await beginSignIn(world);
  const xml = signXml(response(flow), world.provider.keyPair, { signatureAlgorithm: PSS, canonicalization });
  expect((await dryRun(xml)).detail).toBeNull();
  expect(await end(xml, flow)).toContain('?code=');
});

/** Sends a LogoutRequest by HTTP-Redirect, signed with RSA-PSS by this key. */
async function logOutBy(key: string, saltLength: number): Promise<boolean> {
  const { provider, configuration, member } = world;
  const envelope = { id: newId(), destination: configuration.sls_url, issuer: provider.entityId, nowMs: Date.now() };
  const xml = logoutRequest(envelope, { value: member.email, format: null, qualifiers: {} }, null);
  const { deflateRawSync } = await import('node:zlib');
  const query = `SAMLRequest=${encodeURIComponent(deflateRawSync(Buffer.from(xml)).toString('base64'))}&SigAlg=${encodeURIComponent(PSS)}`;
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const signature = sign('sha256', Buffer.from(query), { key, padding, saltLength }).toString('base64');
  const path = `/api/auth/sso/saml/${world.slug}/sls/?${query}&Signature=${encodeURIComponent(signature)}`;
  const { headers } = await new Client(api.url).get(path);
  return headers.get('location')?.startsWith(configuration.slo_url) ?? false;
}

test('an RSA-PSS signature in an address is accepted from the right key and with the right salt only', async () => {
  const stranger = await makeKeyPair('stranger', Date.now());
  expect(await logOutBy(world.provider.keyPair.privateKey, 32)).toBe(true);
  expect(await logOutBy(stranger.privateKey, 32)).toBe(false);
  expect(await logOutBy(world.provider.keyPair.privateKey, 0)).toBe(false);
});

describe('the dry run names the problem of a signature', () => {
  const problemOf = async (make: (flow: SignIn) => string | Promise<string>) =>
    (await dryRun(await make(await beginSignIn(world)))).signature_problem;
  const signed = (flow: SignIn, signing = {}) => signXml(response(flow), world.provider.keyPair, signing);

  test('the dry run names no problem for a right signature', async () => {
    expect(await problemOf(signed)).toBeNull();
  });

  test('the dry run reports a missing signature, also when only the response is signed', async () => {
    expect(await problemOf(response)).toBe('missing');
    expect(await problemOf((flow) => signed(flow, { what: "/*[local-name(.)='Response']" }))).toBe('missing');
  });

  test('the dry run reports that the assertion was altered', async () => {
    expect(await problemOf((flow) => signed(flow).replaceAll(world.member.email, world.admin.email))).toBe(
      'digest_mismatch',
    );
  });

  test.each([
    { signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' },
    { digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1' },
    { canonicalization: `${EXCLUSIVE}WithComments` },
  ])('the dry run reports that %p is not accepted', async (signing) => {
    expect(await problemOf((flow) => signed(flow, signing))).toBe('algorithm');
  });

  test('the dry run reports a signature by another key and whether our certificates have expired', async () => {
    const other = await makeKeyPair('other', Date.now());
    const byOther = (flow: SignIn) => signXml(response(flow), other);
    expect(await problemOf(byOther)).toBe('certificate_mismatch');
    const over = await makeKeyPair('over', Date.now() - 21 * 365 * 86_400_000);
    const path = `/api/organizations/${world.organizationId}/saml-configurations/${world.configuration.id}/`;
    const admin = new Client(api.url, { token: world.admin.token });
    await admin.patch(path, { certificate: over.certificate });
    expect(await problemOf(byOther)).toBe('certificate_expired');
    // An expired certificate is still accepted: an admin has chosen it.
    expect(await problemOf((flow) => signXml(response(flow), over))).toBeNull();
    await admin.patch(path, { certificate: world.provider.keyPair.certificate });
  });
});
