/** Tests hostile forms, which the ACS must refuse quickly, and replayed responses. */
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
async function reasonOf(xml: string, of: SamlWorld = world): Promise<string | null> {
  const path = `/api/organizations/${of.organizationId}/saml-configurations/${of.configuration.id}/test/`;
  const admin = new Client(api.url, { token: of.admin.token });
  return (await admin.post(path, { saml_response: base64(xml) })).body.reason;
}

/** Expects a refusal for exactly this reason, and that the sign-in still accepts a right response. */
async function expectRefused(xml: string, flow: SignIn, reason: string): Promise<void> {
  expect(await reasonOf(xml)).toBe(reason);
  expect(await end(xml, flow)).toBe(REFUSED);
  expect(await end(signed(flow), flow)).toContain('?code=');
}

/** Processor milliseconds that a refusal may cost; an unprotected parser takes seconds. */
const AT_ONCE = 150;

describe('hostile XML', () => {
  test.each(['http://www.w3.org/2001/10/xml-exc-c14n#', 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'])(
    'an XML comment that truncates an address is refused (%s)',
    async (canonicalization) => {
      const flow = await beginSignIn(world);
      const [name, domain] = world.member.email.split('@');
      const whole = `${name}@${domain}.evil.example.org`;
      const xml = signed(flow, { attributes: { [EMAIL_OID]: whole }, nameId: whole }, { canonicalization });
      const cut = xml.replaceAll(whole, `${world.member.email}<!-- -->.evil.example.org`);
      expect(cut).not.toBe(xml);
      await expectRefused(cut, flow, 'malformed');
    },
  );

  test('a signed XML comment in an address is refused too', async () => {
    const flow = await beginSignIn(world);
    const email = `${world.member.email}<!-- -->.evil.example.org`;
    await expectRefused(signed(flow, { attributes: { [EMAIL_OID]: email } }), flow, 'malformed');
  });

  test.each([
    ['a document type', '<!DOCTYPE r>'],
    ['an external entity', '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
    ['entities that multiply', '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'],
    ['a processing instruction', '<?xml-stylesheet href="http://evil.example.org/"?>'],
  ])('%s is refused', async (_name, prefix) => {
    const flow = await beginSignIn(world);
    await expectRefused(prefix + signed(flow), flow, 'malformed');
  });

  test('an entity other than the five predefined ones is refused', async () => {
    const flow = await beginSignIn(world);
    await expectRefused(signed(flow).replace('person', 'pers&x;on').replace('session-1', '&x;'), flow, 'malformed');
  });

  test.each([
    ['nested elements', '<a>'.repeat(6_500) + '</a>'.repeat(6_500)],
    ['many elements', `<a>${'<b/>'.repeat(11_000)}</a>`],
    ['many attributes', `<a ${Array.from({ length: 5_000 }, (_, n) => `a${n}=""`).join(' ')}/>`],
    ['a tag without an end', `<a${' a=""'.repeat(10_000)}`],
    ['spaces without an end', `<a${' '.repeat(45_000)}`],
    ['ampersands', `<a>${'&'.repeat(45_000)}</a>`],
  ])('%s are refused quickly', async (_name, xml) => {
    expect(xml.length).toBeGreaterThan(40_000);
    const milliseconds = await processorTime(async () => {
      expect((await postResponse(world, base64(xml), '')).location).toBe(REFUSED);
    });
    expect(milliseconds).toBeLessThan(AT_ONCE);
  });

  const UNREAD = REFUSED.replace('response_invalid', 'request_invalid');

  test('a form that is too large is refused', async () => {
    expect((await postResponse(world, 'A'.repeat(300_000), '')).location).toBe(UNREAD);
  });

  test('a request that is no form, or has no response or two, is refused', async () => {
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

  test('a response is accepted once', async () => {
    const flow = await beginSignIn(world);
    const xml = signed(flow);
    expect(await end(xml, flow)).toContain('?code=');
    expect(await end(xml, flow)).toBe(EXPIRED);
  });

  test('of concurrent uses of one response, one signs in', async () => {
    const flow = await beginSignIn(world);
    const xml = signed(flow);
    const ends = await Promise.all([end(xml, flow), end(xml, flow), end(xml, flow)]);
    expect(ends.filter((where) => where.includes('?code='))).toHaveLength(1);
  });

  test('an assertion is accepted once, even for another request', async () => {
    const [first, second] = [await beginSignIn(world), await beginSignIn(world)];
    const assertionId = newId();
    expect(await end(signed(first, { assertionId }), first)).toContain('?code=');
    expect(await end(signed(second, { assertionId }), second)).toBe(REFUSED);
  });

  test('an answer to an unknown or expired request is refused', async () => {
    const flow = await beginSignIn(world);
    expect(await end(signed(flow, { inResponseTo: newId() }), flow)).toBe(EXPIRED);
    const late = await beginSignIn(world);
    await asOwner("UPDATE sso_flows SET expires_at = now() - interval '1 second'");
    expect(await end(signed(late), late)).toBe(EXPIRED);
  });

  test('a sign-in by one configuration cannot be answered at another', async () => {
    const flow = await beginSignIn(other);
    const misled = { ...flow, acsUrl: world.configuration.acs_url, spEntityId: world.configuration.sp_entity_id };
    expect(await end(signed(misled), misled)).toBe(EXPIRED);
    const xml = signed(await beginSignIn(world));
    expect(await reasonOf(xml, other)).toBe('wrong_destination');
    expect((await postResponse(other, base64(xml), '')).location).toBe(REFUSED);
  });
});
