/** Tests responses that the ACS must refuse: unsigned, wrapped, for another recipient, too old. */
import { config } from '../../../../config.js';
import { makeKeyPair } from '../../../../gateways/saml/certificate.js';
import { Client } from '../../../support/api.js';
import { anApi } from '../../../support/apiWorld.js';
import {
  base64,
  EMAIL_OID,
  newId,
  responseXml,
  type ResponseFields,
  responseFieldsFor,
  type Signing,
  signXml,
} from '../../../support/samlProvider.js';
import { aSamlWorld, beginSignIn, postResponse, type SamlWorld, type SignIn } from '../../../support/samlWorld.js';

const REFUSED = 'http://localhost:3000/auth/sso/callback?error=response_invalid';

let world: SamlWorld;

Object.assign(config, { THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const api = anApi();
beforeAll(async () => {
  world = await aSamlWorld(api.url);
});

const says = (flow: SignIn, over: Partial<ResponseFields> = {}): ResponseFields =>
  responseFieldsFor(world.provider, flow, {
    nameId: world.member.email,
    attributes: { [EMAIL_OID]: world.member.email },
    ...over,
  });

const signed = (flow: SignIn, over: Partial<ResponseFields> = {}, signing: Signing = {}): string =>
  signXml(responseXml(says(flow, over)), world.provider.keyPair, signing);

const end = async (xml: string, flow: SignIn): Promise<string> =>
  (await postResponse(world, base64(xml), flow.relayState)).location;

/** Returns the reason that the dry run gives for a refusal. */
async function reasonOf(xml: string): Promise<string | null> {
  const path = `/api/organizations/${world.organizationId}/saml-configurations/${world.configuration.id}/test/`;
  const admin = new Client(api.url, { token: world.admin.token });
  return (await admin.post(path, { saml_response: base64(xml) })).body.reason;
}

/** Expects a refusal for exactly this reason, and that the sign-in still accepts a right response. */
async function expectRefused(xml: string, flow: SignIn, reason: string): Promise<void> {
  expect(await reasonOf(xml)).toBe(reason);
  expect(await end(xml, flow)).toBe(REFUSED);
  expect(await end(signed(flow), flow)).toContain('?code=');
}

test('a rightly signed response of this test is accepted', async () => {
  const flow = await beginSignIn(world);
  const xml = signed(flow);
  expect(await reasonOf(xml)).toBeNull();
  expect(await end(xml, flow)).toContain('?code=');
});

test('a signed assertion in a signed response is accepted', async () => {
  const flow = await beginSignIn(world);
  const both = signXml(signed(flow), world.provider.keyPair, { what: "/*[local-name(.)='Response']" });
  expect(await end(both, flow)).toContain('?code=');
});

const HOUR = 3600;
test.each<[string, Partial<ResponseFields>, string]>([
  ['for another audience', { audience: 'https://elsewhere.example.org' }, 'wrong_audience'],
  ['sent to another destination', { destination: 'https://elsewhere.example.org/acs' }, 'wrong_destination'],
  ['for another recipient', { recipient: 'https://elsewhere.example.org/acs' }, 'wrong_recipient'],
  ['by another issuer', { issuer: 'https://evil.example.org' }, 'wrong_issuer'],
  ['whose assertion has another issuer', { assertionIssuer: 'https://evil.example.org' }, 'wrong_issuer'],
  ['expired', { notOnOrAfter: -90 }, 'expired'],
  ['not yet valid', { notBefore: 90, notOnOrAfter: HOUR }, 'not_yet_valid'],
  ['whose confirmation has expired', { confirmedUntil: -90 }, 'expired'],
  ['confirmed in another way', { method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }, 'no_usable_confirmation'],
  ['without success', { status: 'urn:oasis:names:tc:SAML:2.0:status:Success2' }, 'status_not_success'],
  ['of a person who will prove themselves tomorrow', { authnInstant: 24 * HOUR }, 'not_yet_valid'],
  ['with a condition that we do not know', { condition: '<saml:Other/>' }, 'unknown_condition'],
  ['whose confirmation answers another request', { confirmedInResponseTo: newId() }, 'wrong_in_response_to'],
  ['that answers no request', { inResponseTo: null }, 'unsolicited'],
])('a response %s is refused', async (_name, over, reason) => {
  const flow = await beginSignIn(world);
  const xml = signed(flow, over);
  if (reason !== 'status_not_success') return expectRefused(xml, flow, reason);
  expect(await reasonOf(xml)).toBe(reason);
  expect(await end(xml, flow)).toBe(REFUSED.replace('response_invalid', 'provider_refused'));
});

test.each([
  ['expired a little', { notOnOrAfter: -30, confirmedUntil: -30 }],
  ['begins in a moment', { notBefore: 30 }],
])('a clock difference of up to a minute is tolerated: what %s is accepted', async (_name, over) => {
  const flow = await beginSignIn(world);
  expect(await end(signed(flow, over), flow)).toContain('?code=');
});

describe('signatures', () => {
  test('an unsigned response is refused', async () => {
    const flow = await beginSignIn(world);
    await expectRefused(responseXml(says(flow)), flow, 'signature_invalid');
  });

  test('a response with only the envelope signed is refused', async () => {
    const flow = await beginSignIn(world);
    const xml = signed(flow, {}, { what: "/*[local-name(.)='Response']" });
    await expectRefused(xml, flow, 'signature_invalid');
  });

  test("a response signed with another key is refused, although it contains that key's certificate", async () => {
    const flow = await beginSignIn(world);
    const xml = signXml(responseXml(says(flow)), await makeKeyPair('evil', Date.now()));
    await expectRefused(xml, flow, 'signature_invalid');
  });

  test('a response that was altered after signing is refused', async () => {
    const flow = await beginSignIn(world);
    const xml = signed(flow).replaceAll(world.member.email, world.admin.email);
    await expectRefused(xml, flow, 'signature_invalid');
  });

  test.each<[string, Signing]>([
    ['the signature', { signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }],
    ['the digest', { digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1' }],
  ])('a response with SHA-1 for %s is refused', async (_name, signing) => {
    const flow = await beginSignIn(world);
    await expectRefused(signed(flow, {}, signing), flow, 'signature_invalid');
  });
});

describe('signature wrapping', () => {
  const SIGNATURE = /<ds:Signature[\s\S]*<\/ds:Signature>/;
  const WHOLE = /<saml:Assertion[\s\S]*<\/saml:Assertion>/;

  /** Returns the honest assertion, the attacker's assertion, and the signature of the honest one. */
  function parts(flow: SignIn) {
    const xml = signed(flow);
    const honest = WHOLE.exec(xml)?.[0] ?? '';
    const signature = SIGNATURE.exec(xml)?.[0] ?? '';
    const bare = honest.replace(SIGNATURE, '');
    const evil = bare.replaceAll(world.member.email, world.admin.email);
    const evilId = evil.replace(/ ID="[^"]*"/, ` ID="${newId()}"`);
    return { xml, honest, signature, bare, evil, evilId };
  }
  const inside = (element: string, child: string) => element.replace('</saml:Issuer>', `</saml:Issuer>${child}`);
  const object = (signature: string, content: string) =>
    signature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`);

  /** Somorovsky and others, On Breaking SAML (2012), 3.2: eight positions of the signed original. */
  test.each<[number, (given: ReturnType<typeof parts>) => string]>([
    [
      1,
      ({ xml, evilId, signature, bare }) => {
        const original = xml.replace(WHOLE, bare);
        const whole = original.replace('</samlp:Status>', `</samlp:Status>${object(signature, original)}`);
        return whole.replace(bare, evilId);
      },
    ],
    [
      2,
      ({ xml, evilId, signature, bare }) => {
        const original = xml.replace(WHOLE, bare);
        return xml.replace(WHOLE, `${signature}${original}${evilId}`);
      },
    ],
    [3, ({ xml, honest, evilId }) => xml.replace(WHOLE, `${evilId}${honest}`)],
    [4, ({ xml, honest, evilId }) => xml.replace(WHOLE, inside(evilId, honest))],
    [5, ({ xml, bare, evilId, signature }) => xml.replace(WHOLE, `${inside(evilId, signature)}${bare}`)],
    [
      6,
      ({ xml, bare, evilId, signature }) =>
        xml.replace(
          WHOLE,
          inside(evilId, inside(signature, '').replace('</ds:SignedInfo>', `</ds:SignedInfo>${bare}`)),
        ),
    ],
    [7, ({ xml, honest, evilId }) => xml.replace(WHOLE, `<samlp:Extensions>${honest}</samlp:Extensions>${evilId}`)],
    [8, ({ xml, bare, evilId, signature }) => xml.replace(WHOLE, inside(evilId, object(signature, bare)))],
  ])('signature wrapping by variant %i is refused', async (_number, wrap) => {
    const flow = await beginSignIn(world);
    const xml = wrap(parts(flow));
    expect(xml).toContain(world.admin.email);
    expect(await end(xml, flow)).toBe(REFUSED);
    expect(['not_one_assertion', 'signature_invalid']).toContain(await reasonOf(xml));
  });

  test('two elements with the signed id are refused', async () => {
    const flow = await beginSignIn(world);
    const { xml, evil, honest } = parts(flow);
    const wrapped = xml.replace(WHOLE, inside(evil, honest));
    expect(await end(wrapped, flow)).toBe(REFUSED);
  });
});
