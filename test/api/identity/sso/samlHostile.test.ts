/** Forms that the ACS must not choke on, and responses that are used again. */
import { config } from '../../../../config.js';
import { Client } from '../../../support/api.js';
import { anApi } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import { processorTime } from '../../../support/processorTime.js';
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
import {
  aSamlWorld,
  beginSignIn,
  postForm,
  postResponse,
  type SamlWorld,
  type SignIn,
} from '../../../support/samlWorld.js';

const REFUSED = 'http://localhost:3000/auth/sso/callback?error=response_invalid';

let world: SamlWorld;
/** Another organization with another configuration. */
let other: SamlWorld;

Object.assign(config, { THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const api = anApi();
beforeAll(async () => {
  [world, other] = [await aSamlWorld(api.url), await aSamlWorld(api.url)];
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
async function reasonOf(xml: string, of: SamlWorld = world): Promise<string | null> {
  const path = `/api/organizations/${of.organizationId}/saml-configurations/${of.configuration.id}/test/`;
  const admin = new Client(api.url, { token: of.admin.token });
  return (await admin.post(path, { saml_response: base64(xml) })).body.reason;
}

/** Refused, for this reason and no other, and the sign-in that it was for can still be answered rightly. */
async function expectRefused(xml: string, asked: SignIn, reason: string): Promise<void> {
  expect(await reasonOf(xml)).toBe(reason);
  expect(await end(xml, asked)).toBe(REFUSED);
  expect(await end(signed(asked), asked)).toContain('?code=');
}

/** Milliseconds of work that a refusal may cost; a parser that is let in takes seconds. */
const AT_ONCE = 150;

describe('hostile XML', () => {
  test.each(['http://www.w3.org/2001/10/xml-exc-c14n#', 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'])(
    'a comment does not cut an address short (%s)',
    async (canonicalization) => {
      const asked = await beginSignIn(world);
      const [name, domain] = world.member.email.split('@');
      const whole = `${name}@${domain}.evil.example.org`;
      const xml = signed(asked, { attributes: { [EMAIL_OID]: whole }, nameId: whole }, { canonicalization });
      const cut = xml.replaceAll(whole, `${world.member.email}<!-- -->.evil.example.org`);
      expect(cut).not.toBe(xml);
      await expectRefused(cut, asked, 'malformed');
    },
  );

  test('neither does one that was signed', async () => {
    const asked = await beginSignIn(world);
    const email = `${world.member.email}<!-- -->.evil.example.org`;
    await expectRefused(signed(asked, { attributes: { [EMAIL_OID]: email } }), asked, 'malformed');
  });

  test.each([
    ['a document type', '<!DOCTYPE r>'],
    ['an external entity', '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
    ['entities that multiply', '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'],
    ['a processing instruction', '<?xml-stylesheet href="http://evil.example.org/"?>'],
  ])('%s is refused', async (_name, prefix) => {
    const asked = await beginSignIn(world);
    await expectRefused(prefix + signed(asked), asked, 'malformed');
  });

  test('an entity that is not one of the five is refused', async () => {
    const asked = await beginSignIn(world);
    await expectRefused(signed(asked).replace('person', 'pers&x;on').replace('session-1', '&x;'), asked, 'malformed');
  });

  test.each([
    ['nested elements', '<a>'.repeat(6_500) + '</a>'.repeat(6_500)],
    ['many elements', `<a>${'<b/>'.repeat(11_000)}</a>`],
    ['many attributes', `<a ${Array.from({ length: 5_000 }, (_, n) => `a${n}=""`).join(' ')}/>`],
    ['a tag without an end', `<a${' a=""'.repeat(10_000)}`],
    ['spaces without an end', `<a${' '.repeat(45_000)}`],
    ['ampersands', `<a>${'&'.repeat(45_000)}</a>`],
  ])('%s are refused at once, and hold nobody up', async (_name, xml) => {
    expect(xml.length).toBeGreaterThan(40_000);
    const taken = await processorTime(async () => {
      expect((await postResponse(world, base64(xml), '')).location).toBe(REFUSED);
    });
    expect(taken).toBeLessThan(AT_ONCE);
  });

  const UNREAD = REFUSED.replace('response_invalid', 'request_invalid');

  test('a form that is too large is refused', async () => {
    expect((await postResponse(world, 'A'.repeat(300_000), '')).location).toBe(UNREAD);
  });

  test('what is no form, or has no response or two, is refused', async () => {
    const path = `/api/auth/sso/saml/${world.slug}/acs/`;
    expect((await new Client(api.url).post(path, { SAMLResponse: 'x' })).headers.get('location')).toBe(UNREAD);
    expect((await postForm(api.url, path, { RelayState: 'x' })).location).toBe(UNREAD);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = 'SAMLResponse=YQ&SAMLResponse=Yg';
    const twice = await fetch(api.url + path, { method: 'POST', redirect: 'manual', headers, body });
    expect(twice.headers.get('location')).toBe(UNREAD);
    expect((await postResponse(world, '%%%', '')).location).toBe(REFUSED);
  });
});

describe('replay', () => {
  const EXPIRED = REFUSED.replace('response_invalid', 'flow_expired');

  test('a response is good once', async () => {
    const asked = await beginSignIn(world);
    const xml = signed(asked);
    expect(await end(xml, asked)).toContain('?code=');
    expect(await end(xml, asked)).toBe(EXPIRED);
  });

  test('of two at once, one signs in', async () => {
    const asked = await beginSignIn(world);
    const xml = signed(asked);
    const ends = await Promise.all([end(xml, asked), end(xml, asked), end(xml, asked)]);
    expect(ends.filter((where) => where.includes('?code='))).toHaveLength(1);
  });

  test('an assertion is good once, whatever request it answers', async () => {
    const [first, second] = [await beginSignIn(world), await beginSignIn(world)];
    const assertionId = newId();
    expect(await end(signed(first, { assertionId }), first)).toContain('?code=');
    expect(await end(signed(second, { assertionId }), second)).toBe(REFUSED);
  });

  test('an answer to a request that nobody made, or that has expired, is refused', async () => {
    const asked = await beginSignIn(world);
    expect(await end(signed(asked, { inResponseTo: newId() }), asked)).toBe(EXPIRED);
    const late = await beginSignIn(world);
    await asOwner("UPDATE sso_flows SET expires_at = now() - interval '1 second'");
    expect(await end(signed(late), late)).toBe(EXPIRED);
  });

  test('a sign-in by one configuration is not answered at another', async () => {
    const asked = await beginSignIn(other);
    const misled = { ...asked, acsUrl: world.configuration.acs_url, spEntityId: world.configuration.sp_entity_id };
    expect(await end(signed(misled), misled)).toBe(EXPIRED);
    const xml = signed(await beginSignIn(world));
    expect(await reasonOf(xml, other)).toBe('wrong_destination');
    expect((await postResponse(other, base64(xml), '')).location).toBe(REFUSED);
  });
});
