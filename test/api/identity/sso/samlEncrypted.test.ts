/** Tests encrypted assertions: they are checked like any other after decryption, and our keys change without a gap. */
import { config } from '../../../../config.js';
import { makeKeyPair } from '../../../../gateways/saml/certificate.js';
import { Client } from '../../../support/api.js';
import { anApi } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import {
  base64,
  EMAIL_OID,
  responseXml,
  type ResponseFields,
  responseFieldsFor,
  signXml,
} from '../../../support/samlProvider.js';
import { type Encryption, encrypted, KEYCLOAK, withEncrypted } from '../../../support/samlEncryption.js';
import { schemaProblems } from '../../../support/samlSchema.js';
import { aSamlWorld, beginSignIn, postResponse, type SamlWorld, type SignIn } from '../../../support/samlWorld.js';

const REFUSED = 'http://localhost:3000/auth/sso/callback?error=response_invalid';

let world: SamlWorld;
let admin: Client;
let certificate: string;

Object.assign(config, { THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const api = anApi();
beforeAll(async () => {
  world = await aSamlWorld(api.url);
  admin = new Client(api.url, { token: world.admin.token });
  await admin.post(`${path()}encryption-key/`, {});
  certificate = await published();
});

const path = () => `/api/organizations/${world.organizationId}/saml-configurations/${world.configuration.id}/`;
const metadata = async () => (await fetch(`${api.url}/api/auth/sso/saml/${world.slug}/metadata/`)).text();

/** Returns the certificate that our metadata publishes for encryption. */
async function published(): Promise<string> {
  const body = /use="encryption"[\s\S]*?<ds:X509Certificate>([^<]*)</.exec(await metadata())?.[1];
  return `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`;
}

const response = (flow: SignIn, over: Partial<ResponseFields> = {}): string =>
  responseXml(
    responseFieldsFor(world.provider, flow, {
      nameId: world.member.email,
      attributes: { [EMAIL_OID]: world.member.email },
      ...over,
    }),
  );
const signed = (flow: SignIn, over: Partial<ResponseFields> = {}) =>
  signXml(response(flow, over), world.provider.keyPair);
const signedAround = (xml: string): string =>
  signXml(xml, world.provider.keyPair, { what: "/*[local-name(.)='Response']" });
const end = async (xml: string, flow: SignIn) => (await postResponse(world, base64(xml), flow.relayState)).location;
const dryRun = async (xml: string) => (await admin.post(`${path()}test/`, { saml_response: base64(xml) })).body;

async function expectRefused(xml: string, flow: SignIn, reason: string): Promise<void> {
  expect((await dryRun(xml)).reason).toBe(reason);
  expect(await end(xml, flow)).toBe(REFUSED);
  expect(await end(signed(flow), flow)).toContain('?code=');
}

test('our metadata contains an encryption key after an admin has created one, and stays valid', async () => {
  const xml = await metadata();
  expect([await schemaProblems(xml, 'metadata'), xml.includes('use="encryption"')]).toEqual([[], true]);
  const other = await aSamlWorld(api.url);
  const theirs = await (await fetch(`${api.url}/api/auth/sso/saml/${other.slug}/metadata/`)).text();
  expect(theirs).not.toContain('encryption');
});

const CIPHERS: Encryption['cipher'][] = ['aes-128-cbc', 'aes-256-cbc', 'aes-128-gcm', 'aes-256-gcm'];
test.each(
  CIPHERS.flatMap((cipher) => [[cipher, 'oaep-sha1', 'inside'] as const, [cipher, 'oaep-sha256', 'beside'] as const]),
)('an assertion in %s by %s, its key %s, signs in', async (cipher, transport, place) => {
  const flow = await beginSignIn(world);
  const xml = withEncrypted(signed(flow), certificate, { cipher, transport, place });
  expect(await end(cipher.endsWith('gcm') ? xml : signedAround(xml), flow)).toContain('?code=');
});

test('a signed response around a signed encrypted assertion signs in by the inner signature', async () => {
  const flow = await beginSignIn(world);
  expect(await end(signedAround(withEncrypted(signed(flow), certificate)), flow)).toContain('?code=');
});

test.each(['aes-128-cbc', 'aes-256-cbc'] as const)(
  'an assertion encrypted by %s is decrypted only inside a signed response',
  async (cipher) => {
    const flow = await beginSignIn(world);
    const xml = withEncrypted(signed(flow), certificate, { ...KEYCLOAK, cipher });
    await expectRefused(xml, flow, 'encryption_unprotected');
  },
);

test('the dry run shows the decrypted content', async () => {
  const flow = await beginSignIn(world);
  const { accepted, person } = await dryRun(withEncrypted(signed(flow), certificate));
  expect([accepted, person.email]).toEqual([true, world.member.email]);
});

test.each<[string, (flow: SignIn) => string | Promise<string>]>([
  ['no one', (flow) => withEncrypted(response(flow), certificate)],
  [
    'the provider, but around it only',
    (flow) =>
      signXml(withEncrypted(response(flow), certificate), world.provider.keyPair, {
        what: "/*[local-name(.)='Response']",
      }),
  ],
  [
    'a stranger',
    async (flow) => withEncrypted(signXml(response(flow), await makeKeyPair('stranger', Date.now())), certificate),
  ],
])("encryption does not replace the provider's signature: signed by %s", async (_name, make) => {
  const flow = await beginSignIn(world);
  await expectRefused(await make(flow), flow, 'signature_invalid');
});

test('a decrypted assertion is checked as strictly as any other', async () => {
  const flow = await beginSignIn(world);
  const foreign = signed(flow, { audience: 'https://elsewhere.example.org' });
  await expectRefused(withEncrypted(foreign, certificate), flow, 'wrong_audience');
});

test('a key encrypted by RSA 1.5 is refused before decryption', async () => {
  const flow = await beginSignIn(world);
  const xml = withEncrypted(signed(flow), certificate, { ...KEYCLOAK, transport: 'rsa-1_5' });
  await expectRefused(xml, flow, 'encryption_algorithm');
});

const AES_128_CBC = 'http://www.w3.org/2001/04/xmlenc#aes128-cbc';
const ALTERED: [string, (xml: string) => string][] = [
  ['the wrapped key', (xml) => xml.replace(/(EncryptedKey[\s\S]*?CipherValue>)..../, '$1AAAA')],
  ['the assertion', (xml) => xml.replace(/(CipherValue>)....(?![\s\S]*CipherValue>[\s\S]*CipherValue>)/, '$1AAAA')],
  [
    'the end of it',
    (xml) => xml.replace(/....(<\/xenc:CipherValue><\/xenc:CipherData><\/xenc:EncryptedData>)/, 'AAAA$1'),
  ],
  ['which cipher it is', (xml) => xml.replace(/Algorithm="[^"]*#aes256-(?:gcm|cbc)"/, `Algorithm="${AES_128_CBC}"`)],
];

test.each(ALTERED)(
  'every altered part gets the same refusal, so that decryption is no oracle: %s',
  async (name, alter) => {
    const made = async (cipher: Encryption['cipher'], around: boolean) => {
      const flow = await beginSignIn(world);
      const xml = withEncrypted(signed(flow), certificate, { ...KEYCLOAK, cipher });
      const altered = alter(around ? signedAround(xml) : xml);
      expect(altered).not.toBe(xml);
      expect(await end(altered, flow)).toBe(REFUSED);
      const { reason, signature_problem } = await dryRun(altered);
      return [reason, signature_problem];
    };
    // Without an outer signature, CBC is not decrypted and all alterations of GCM fail alike.
    // With one, the signature fails before decryption.
    expect(await made('aes-256-cbc', false)).toEqual(['encryption_unprotected', null]);
    const unsealed = name === 'which cipher it is' ? 'encryption_unprotected' : 'not_decryptable';
    expect(await made('aes-256-gcm', false)).toEqual([unsealed, null]);
    for (const cipher of ['aes-256-cbc', 'aes-256-gcm'] as const) {
      expect(await made(cipher, true)).toEqual(['signature_invalid', 'digest_mismatch']);
    }
  },
);

test('a response signed with another key is refused before decryption', async () => {
  const flow = await beginSignIn(world);
  const stranger = await makeKeyPair('stranger', Date.now());
  const xml = signXml(withEncrypted(signed(flow), certificate), stranger, { what: "/*[local-name(.)='Response']" });
  await expectRefused(xml, flow, 'signature_invalid');
  expect((await dryRun(xml)).signature_problem).toBe('certificate_mismatch');
});

test.each<[string, string]>([
  ['no assertion', '<saml:Advice xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>'],
  ['no XML', 'no XML'],
  [
    'a document type',
    '<!DOCTYPE x [<!ENTITY a "b">]><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>',
  ],
  [
    'depth',
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${'<a>'.repeat(60)}${'</a>'.repeat(60)}</saml:Assertion>`,
  ],
])('an encrypted element that contains %s is refused', async (_name, plain) => {
  const flow = await beginSignIn(world);
  const xml = signed(flow).replace(/<saml:Assertion[\s\S]*<\/saml:Assertion>/, () =>
    encrypted(plain, certificate, KEYCLOAK),
  );
  await expectRefused(xml, flow, 'not_decryptable');
});

test.each<[string, (one: string, plain: string) => string]>([
  ['a plain one before it', (one, plain) => plain + one],
  ['a plain one after it', (one, plain) => one + plain],
  ['itself', (one) => one + one],
])('a second assertion beside an encrypted one is refused: %s', async (_name, make) => {
  const flow = await beginSignIn(world);
  const xml = signed(flow);
  const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
  const both = make(encrypted(assertion, certificate, KEYCLOAK), assertion);
  await expectRefused(
    xml.replace(assertion, () => both),
    flow,
    'not_one_assertion',
  );
});

test('a connection without an encryption key reports it', async () => {
  const other = await aSamlWorld(api.url);
  const flow = await beginSignIn(other);
  const fields = responseFieldsFor(other.provider, flow, { nameId: other.member.email });
  const xml = withEncrypted(signXml(responseXml(fields), other.provider.keyPair), certificate);
  const at = `/api/organizations/${other.organizationId}/saml-configurations/${other.configuration.id}/test/`;
  const { body } = await new Client(api.url, { token: other.admin.token }).post(at, { saml_response: base64(xml) });
  expect(body.reason).toBe('encrypted');
});

test('a new key is in the metadata at once, and the previous key decrypts until its end date', async () => {
  const before = certificate;
  const { status, body } = await admin.post(`${path()}encryption-key/`, { overlap_days: 7 });
  expect([status, body.encryption_keys.map((key: { retires_at: string | null }) => key.retires_at)]).toEqual([
    200,
    [null, expect.any(String)],
  ]);
  const after = await published();
  expect(after).not.toBe(before);
  for (const key of [before, after]) {
    const flow = await beginSignIn(world);
    expect(await end(withEncrypted(signed(flow), key), flow)).toContain('?code=');
  }
  await asOwner('UPDATE saml_encryption_keys SET retires_at = now() WHERE retires_at IS NOT NULL');
  const flow = await beginSignIn(world);
  await expectRefused(withEncrypted(signed(flow), before), flow, 'not_decryptable');
  await admin.post(`${path()}encryption-key/`, { overlap_days: 0 });
  const remaining = await asOwner('SELECT 1 FROM saml_encryption_keys WHERE configuration_id = $1', [
    world.configuration.id,
  ]);
  expect(remaining).toHaveLength(2);
});

test('our private keys are encrypted, in no answer, and changed only by admins with a recent sign-in', async () => {
  const stored = await asOwner('SELECT private_key_encrypted AS sealed FROM saml_encryption_keys');
  for (const { sealed } of stored) expect(sealed).toMatch(/^v1\./);
  const { body } = await admin.get(path());
  expect(JSON.stringify(body)).not.toMatch(/BEGIN|PRIVATE|v1\./);
  expect((await new Client(api.url, { token: world.member.token }).post(`${path()}encryption-key/`, {})).status).toBe(
    403,
  );
  const entries = await asOwner(
    `SELECT count(*)::int AS n FROM audit_log WHERE action = 'saml_configuration.encryption_key_changed' AND subject_id = $1`,
    [world.configuration.id],
  );
  expect(entries).toEqual([{ n: 3 }]);
});
