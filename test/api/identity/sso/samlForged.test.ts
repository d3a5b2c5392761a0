/** Responses that the ACS must not believe: unsigned, wrapped, for somebody else, too old. */
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

const says = (asked: SignIn, over: Partial<ResponseFields> = {}): ResponseFields =>
  responseFieldsFor(world.provider, asked, {
    nameId: world.member.email,
    attributes: { [EMAIL_OID]: world.member.email },
    ...over,
  });

const signed = (asked: SignIn, over: Partial<ResponseFields> = {}, signing: Signing = {}): string =>
  signXml(responseXml(says(asked, over)), world.provider.keyPair, signing);

const end = async (xml: string, asked: SignIn): Promise<string> =>
  (await postResponse(world, base64(xml), asked.relayState)).location;

/** What the dry run says about a response: why, in a word. */
async function reasonOf(xml: string): Promise<string | null> {
  const path = `/api/organizations/${world.organizationId}/saml-configurations/${world.configuration.id}/test/`;
  const admin = new Client(api.url, { token: world.admin.token });
  return (await admin.post(path, { saml_response: base64(xml) })).body.reason;
}

/** Refused, for this reason and no other, and the sign-in that it was for can still be answered rightly. */
async function expectRefused(xml: string, asked: SignIn, reason: string): Promise<void> {
  expect(await reasonOf(xml)).toBe(reason);
  expect(await end(xml, asked)).toBe(REFUSED);
  expect(await end(signed(asked), asked)).toContain('?code=');
}

test('a response that is signed by hand in the right way is believed', async () => {
  const asked = await beginSignIn(world);
  const xml = signed(asked);
  expect(await reasonOf(xml)).toBeNull();
  expect(await end(xml, asked)).toContain('?code=');
});

test('the assertion counts when the response is signed too', async () => {
  const asked = await beginSignIn(world);
  const both = signXml(signed(asked), world.provider.keyPair, { what: "/*[local-name(.)='Response']" });
  expect(await end(both, asked)).toContain('?code=');
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
  const asked = await beginSignIn(world);
  const xml = signed(asked, over);
  if (reason !== 'status_not_success') return expectRefused(xml, asked, reason);
  expect(await reasonOf(xml)).toBe(reason);
  expect(await end(xml, asked)).toBe(REFUSED.replace('response_invalid', 'provider_refused'));
});

test.each([
  ['expired a little', { notOnOrAfter: -30, confirmedUntil: -30 }],
  ['begins in a moment', { notBefore: 30 }],
])('clocks may differ by a minute: what %s is accepted', async (_name, over) => {
  const asked = await beginSignIn(world);
  expect(await end(signed(asked, over), asked)).toContain('?code=');
});

describe('signatures', () => {
  test('an unsigned response is refused', async () => {
    const asked = await beginSignIn(world);
    await expectRefused(responseXml(says(asked)), asked, 'signature_invalid');
  });

  test('so is one in which only the envelope is signed', async () => {
    const asked = await beginSignIn(world);
    const xml = signed(asked, {}, { what: "/*[local-name(.)='Response']" });
    await expectRefused(xml, asked, 'signature_invalid');
  });

  test('so is one that somebody else has signed, whose certificate it brings along', async () => {
    const asked = await beginSignIn(world);
    const xml = signXml(responseXml(says(asked)), await makeKeyPair('evil', Date.now()));
    await expectRefused(xml, asked, 'signature_invalid');
  });

  test('so is one that was altered afterwards', async () => {
    const asked = await beginSignIn(world);
    const xml = signed(asked).replaceAll(world.member.email, world.admin.email);
    await expectRefused(xml, asked, 'signature_invalid');
  });

  test.each<[string, Signing]>([
    ['the signature', { signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }],
    ['the digest', { digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1' }],
  ])('so is SHA-1 for %s', async (_name, signing) => {
    const asked = await beginSignIn(world);
    await expectRefused(signed(asked, {}, signing), asked, 'signature_invalid');
  });
});

describe('signature wrapping', () => {
  const SIGNATURE = /<ds:Signature[\s\S]*<\/ds:Signature>/;
  const WHOLE = /<saml:Assertion[\s\S]*<\/saml:Assertion>/;

  /** The honest assertion, the one that the attacker wants to be read, and the signature of the first. */
  function parts(asked: SignIn) {
    const xml = signed(asked);
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

  /** Somorovsky and others, On Breaking SAML (2012), 3.2: eight places for the signed original. */
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
  ])('variant %i is refused', async (_number, wrap) => {
    const asked = await beginSignIn(world);
    const xml = wrap(parts(asked));
    expect(xml).toContain(world.admin.email);
    expect(await end(xml, asked)).toBe(REFUSED);
    expect(['not_one_assertion', 'signature_invalid']).toContain(await reasonOf(xml));
  });

  test('two elements with the id that is signed are refused', async () => {
    const asked = await beginSignIn(world);
    const { xml, evil, honest } = parts(asked);
    const wrapped = xml.replace(WHOLE, inside(evil, honest));
    expect(await end(wrapped, asked)).toBe(REFUSED);
  });
});
