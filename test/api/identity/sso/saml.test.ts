/** Tests sign-in by SAML: metadata, the way to the provider and back, and single logout. */
import { config } from '../../../../config.js';
import { Client } from '../../../support/api.js';
import { anApi } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import { EMAIL_OID } from '../../../support/samlProvider.js';
import { schemaProblems } from '../../../support/samlSchema.js';
import {
  aSamlWorld,
  beginSignIn,
  postResponse,
  type SamlWorld,
  signedResponse,
  signInBySaml,
} from '../../../support/samlWorld.js';
import { aVerifiedDomain } from '../../../support/world.js';

const WEB = 'http://localhost:3000/auth/sso/callback';
const APP = 'membership://auth/sso/callback';

let world: SamlWorld;

Object.assign(config, { THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const api = anApi();
beforeAll(async () => {
  world = await aSamlWorld(api.url);
});

const memberSays = (more = {}) => ({
  nameId: world.member.email,
  attributes: { [EMAIL_OID]: world.member.email },
  ...more,
});

test('our metadata is valid by the schema of SAML 2.0', async () => {
  const answer = await fetch(`${api.url}/api/auth/sso/saml/${world.slug}/metadata/`);
  expect(answer.headers.get('content-type')).toBe('application/samlmetadata+xml; charset=utf-8');
  const xml = await answer.text();
  expect(await schemaProblems(xml, 'metadata')).toEqual([]);
  expect(await schemaProblems(xml.replaceAll('md:NameIDFormat', 'md:Nonsense'), 'metadata')).not.toEqual([]);
  expect(xml).toContain(`Location="${world.configuration.acs_url}"`);
});

test('the metadata of an unknown slug is a 404', async () => {
  expect((await new Client(api.url).get('/api/auth/sso/saml/nobody/metadata/')).status).toBe(404);
});

test('a browser signs in, and its session stays in the organization', async () => {
  const flow = await beginSignIn(world);
  const answer = await postResponse(world, await signedResponse(world, flow, memberSays()), flow.relayState);
  expect(answer.status).toBe(302);
  const callback = new URL(answer.location);
  expect(callback.origin + callback.pathname).toBe(WEB);
  expect([...callback.searchParams.keys()]).toEqual(['code']);
  const code = callback.searchParams.get('code');
  const exchanged = await flow.browser.post('/api/auth/sso/exchange/', { code });
  expect(exchanged.status).toBe(200);
  expect(exchanged.body.user.email).toBe(world.member.email);
  expect((await flow.browser.get('/api/auth/me/')).status).toBe(200);
  const [session] = await asOwner(
    'SELECT auth_method, confined, organization_id FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 1',
    [world.member.userId],
  );
  expect(session).toEqual({ auth_method: 'saml', confined: true, organization_id: world.organizationId });
});

test('another browser cannot use the code', async () => {
  const flow = await beginSignIn(world);
  const { location } = await postResponse(world, await signedResponse(world, flow, memberSays()), flow.relayState);
  const code = new URL(location).searchParams.get('code');
  expect((await new Client(api.url).post('/api/auth/sso/exchange/', { code })).status).toBe(400);
});

test('an app signs in with the verifier of its challenge', async () => {
  const flow = await beginSignIn(world, { native: true });
  const { location } = await postResponse(world, await signedResponse(world, flow, memberSays()), flow.relayState);
  expect(location.startsWith(`${APP}?code=`)).toBe(true);
  const code = new URL(location).searchParams.get('code');
  const app = new Client(api.url, { headers: { 'X-Client': 'native' } });
  const { status, body } = await app.post('/api/auth/sso/exchange/', { code, code_verifier: flow.verifier });
  expect(status).toBe(200);
  expect(typeof body.access_token).toBe('string');
});

test('an app without a challenge is refused', async () => {
  const { status, headers } = await new Client(api.url).get(`/api/auth/sso/saml/${world.slug}/login/?platform=native`);
  expect([status, headers.get('location')]).toEqual([302, `${APP}?error=request_invalid`]);
});

test.each([
  ['forged', () => 'https://evil.example.org/'],
  ['missing', () => ''],
])('with a RelayState that is %s the answer goes to the web and still needs the verifier', async (_name, given) => {
  const flow = await beginSignIn(world, { native: true });
  const { location } = await postResponse(world, await signedResponse(world, flow, memberSays()), given());
  expect(location.startsWith(`${WEB}?code=`)).toBe(true);
  const code = new URL(location).searchParams.get('code');
  expect((await flow.browser.post('/api/auth/sso/exchange/', { code })).status).toBe(400);
});

test("an app's RelayState does not send a browser's answer to the app", async () => {
  const [browser, app] = [await beginSignIn(world), await beginSignIn(world, { native: true })];
  const { location } = await postResponse(world, await signedResponse(world, browser, memberSays()), app.relayState);
  expect(location).toBe(`${WEB}?error=response_invalid`);
});

test('an unknown person gets no account', async () => {
  const flow = await beginSignIn(world);
  const email = `new@${world.slug}.edu`;
  const fields = { nameId: email, attributes: { [EMAIL_OID]: email } };
  const { location } = await postResponse(world, await signedResponse(world, flow, fields), flow.relayState);
  expect(location).toBe(`${WEB}?error=no_account`);
});

test('auto-provisioning makes an unknown person a member with the mapped attributes', async () => {
  const own = await aSamlWorld(api.url);
  const admin = new Client(api.url, { token: own.admin.token });
  const path = `/api/organizations/${own.organizationId}/saml-configurations/${own.configuration.id}/`;
  const attribute_mapping = { email: 'mail', first_name: 'given' };
  await aVerifiedDomain(own.organizationId, `${own.slug}.edu`);
  const edit = { auto_provision: true, provision_chapter: own.chapterId, attribute_mapping };
  expect((await admin.patch(path, edit)).status).toBe(200);
  const email = `new@${own.slug}.edu`;
  const attributes = { mail: email, given: 'Ada', 'urn:oid:2.5.4.4': 'Lovelace' };
  const browser = await signInBySaml(own, email, { attributes });
  const { body } = await browser.get('/api/auth/me/');
  expect(body.user ?? body).toMatchObject({ email, first_name: 'Ada', last_name: 'Lovelace' });
});

test("another organization's person is not signed in", async () => {
  const other = await aSamlWorld(api.url);
  const flow = await beginSignIn(world);
  const fields = { nameId: other.admin.email, attributes: { [EMAIL_OID]: other.admin.email } };
  const { location } = await postResponse(world, await signedResponse(world, flow, fields), flow.relayState);
  expect(location).toBe(`${WEB}?error=no_account`);
});

test('a transient NameID links no account unless an attribute identifies the person permanently', async () => {
  const own = await aSamlWorld(api.url);
  const attributes = { [EMAIL_OID]: own.member.email, uid: 'u-1' };
  const fields = { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient', attributes };
  const flow = await beginSignIn(own);
  const { location } = await postResponse(own, await signedResponse(own, flow, fields), flow.relayState);
  expect(location).toBe(`${WEB}?error=response_invalid`);
  const admin = new Client(api.url, { token: own.admin.token });
  const path = `/api/organizations/${own.organizationId}/saml-configurations/${own.configuration.id}/`;
  expect((await admin.patch(path, { attribute_mapping: { subject: 'uid' } })).status).toBe(200);
  await signInBySaml(own, own.member.email, fields);
});

test('reauthentication requests a fresh proof and accepts no older one', async () => {
  const flow = await beginSignIn(world, { reauthenticate: true });
  expect(flow.forceAuthn).toBe(true);
  expect((await beginSignIn(world)).forceAuthn).toBe(false);
  const old = await signedResponse(world, flow, memberSays({ authnInstant: -600 }));
  expect((await postResponse(world, old, flow.relayState)).location).toBe(`${WEB}?error=reauthentication_unproven`);
  const again = await beginSignIn(world, { reauthenticate: true });
  const fresh = await signedResponse(world, again, memberSays({ authnInstant: 0 }));
  expect((await postResponse(world, fresh, again.relayState)).location).toContain('?code=');
});

test('a fresh AuthnInstant proves a recent sign-in only if the sign-in requested it', async () => {
  const own = await aSamlWorld(api.url);
  const path = `/api/organizations/${own.organizationId}/saml-configurations/${own.configuration.id}/`;
  const changes = async (reauthenticate: boolean) => {
    const flow = await beginSignIn(own, { reauthenticate });
    // Keycloak sends the current moment even 17 minutes after the password.
    const fields = { nameId: own.admin.email, attributes: { [EMAIL_OID]: own.admin.email }, authnInstant: 0 };
    const { location } = await postResponse(own, await signedResponse(own, flow, fields), flow.relayState);
    const code = new URL(location).searchParams.get('code');
    expect((await flow.browser.post('/api/auth/sso/exchange/', { code })).status).toBe(200);
    const { status, body } = await flow.browser.patch(path, { name: 'Renamed' });
    return status === 200 ? 'changed' : body.code;
  };
  expect([await changes(false), await changes(true)]).toEqual(['step_up_required', 'changed']);
  const listed = await asOwner('SELECT auth_time FROM sessions WHERE connection_id = $1 ORDER BY id', [
    own.configuration.id,
  ]);
  expect(listed[0]?.['auth_time']).toEqual(new Date(0));
});

test('both certificates are accepted while the provider changes its key', async () => {
  const own = await aSamlWorld(api.url);
  const next = await aSamlWorld(api.url);
  const admin = new Client(api.url, { token: own.admin.token });
  const path = `/api/organizations/${own.organizationId}/saml-configurations/${own.configuration.id}/`;
  const rolled = { ...own, provider: { ...next.provider, entityId: own.provider.entityId } };
  const says = { issuer: own.provider.entityId, attributes: { [EMAIL_OID]: own.member.email } };
  const end = async (by: SamlWorld) => {
    const flow = await beginSignIn(own);
    return (await postResponse(own, await signedResponse(by, flow, says), flow.relayState)).location;
  };
  expect(await end(rolled)).toBe(`${WEB}?error=response_invalid`);
  await admin.patch(path, { next_certificate: next.provider.keyPair.certificate });
  expect(await end(rolled)).toContain('?code=');
  expect(await end(own)).toContain('?code=');
  await admin.patch(path, { certificate: next.provider.keyPair.certificate, next_certificate: null });
  expect(await end(rolled)).toContain('?code=');
  expect(await end(own)).toBe(`${WEB}?error=response_invalid`);
});
