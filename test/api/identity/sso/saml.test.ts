/** Sign-in by SAML: metadata, the way to the provider and back, and single logout. */
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

test('there is no metadata of a slug that nobody has', async () => {
  expect((await new Client(api.url).get('/api/auth/sso/saml/nobody/metadata/')).status).toBe(404);
});

test('a browser signs in, and its session stays in the organization', async () => {
  const asked = await beginSignIn(world);
  const answer = await postResponse(world, await signedResponse(world, asked, memberSays()), asked.relayState);
  expect(answer.status).toBe(302);
  const callback = new URL(answer.location);
  expect(callback.origin + callback.pathname).toBe(WEB);
  expect([...callback.searchParams.keys()]).toEqual(['code']);
  const code = callback.searchParams.get('code');
  const exchanged = await asked.browser.post('/api/auth/sso/exchange/', { code });
  expect(exchanged.status).toBe(200);
  expect(exchanged.body.user.email).toBe(world.member.email);
  expect((await asked.browser.get('/api/auth/me/')).status).toBe(200);
  const [session] = await asOwner(
    'SELECT auth_method, confined, organization_id FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 1',
    [world.member.userId],
  );
  expect(session).toEqual({ auth_method: 'saml', confined: true, organization_id: world.organizationId });
});

test('another browser cannot use the code', async () => {
  const asked = await beginSignIn(world);
  const { location } = await postResponse(world, await signedResponse(world, asked, memberSays()), asked.relayState);
  const code = new URL(location).searchParams.get('code');
  expect((await new Client(api.url).post('/api/auth/sso/exchange/', { code })).status).toBe(400);
});

test('an app signs in with the verifier of its challenge', async () => {
  const asked = await beginSignIn(world, { native: true });
  const { location } = await postResponse(world, await signedResponse(world, asked, memberSays()), asked.relayState);
  expect(location.startsWith(`${APP}?code=`)).toBe(true);
  const code = new URL(location).searchParams.get('code');
  const app = new Client(api.url, { headers: { 'X-Client': 'native' } });
  const { status, body } = await app.post('/api/auth/sso/exchange/', { code, code_verifier: asked.verifier });
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
])('with a RelayState that is %s the answer goes to the web, and still needs the verifier', async (_name, given) => {
  const asked = await beginSignIn(world, { native: true });
  const { location } = await postResponse(world, await signedResponse(world, asked, memberSays()), given());
  expect(location.startsWith(`${WEB}?code=`)).toBe(true);
  const code = new URL(location).searchParams.get('code');
  expect((await asked.browser.post('/api/auth/sso/exchange/', { code })).status).toBe(400);
});

test('a RelayState of an app does not take the answer of a browser to the app', async () => {
  const [browser, app] = [await beginSignIn(world), await beginSignIn(world, { native: true })];
  const { location } = await postResponse(world, await signedResponse(world, browser, memberSays()), app.relayState);
  expect(location).toBe(`${WEB}?error=response_invalid`);
});

test('somebody whom nobody knows gets no account', async () => {
  const asked = await beginSignIn(world);
  const email = `new@${world.slug}.edu`;
  const said = { nameId: email, attributes: { [EMAIL_OID]: email } };
  const { location } = await postResponse(world, await signedResponse(world, asked, said), asked.relayState);
  expect(location).toBe(`${WEB}?error=no_account`);
});

test('with auto-provisioning somebody new becomes a member, by the mapped attributes', async () => {
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
  const asked = await beginSignIn(world);
  const said = { nameId: other.admin.email, attributes: { [EMAIL_OID]: other.admin.email } };
  const { location } = await postResponse(world, await signedResponse(world, asked, said), asked.relayState);
  expect(location).toBe(`${WEB}?error=no_account`);
});

test('a transient NameID links nobody, unless an attribute names the person for good', async () => {
  const own = await aSamlWorld(api.url);
  const attributes = { [EMAIL_OID]: own.member.email, uid: 'u-1' };
  const said = { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient', attributes };
  const asked = await beginSignIn(own);
  const { location } = await postResponse(own, await signedResponse(own, asked, said), asked.relayState);
  expect(location).toBe(`${WEB}?error=response_invalid`);
  const admin = new Client(api.url, { token: own.admin.token });
  const path = `/api/organizations/${own.organizationId}/saml-configurations/${own.configuration.id}/`;
  expect((await admin.patch(path, { attribute_mapping: { subject: 'uid' } })).status).toBe(200);
  await signInBySaml(own, own.member.email, said);
});

test('reauthentication asks for a fresh proof, and accepts no older one', async () => {
  const asked = await beginSignIn(world, { reauthenticate: true });
  expect(asked.forceAuthn).toBe(true);
  expect((await beginSignIn(world)).forceAuthn).toBe(false);
  const old = await signedResponse(world, asked, memberSays({ authnInstant: -600 }));
  expect((await postResponse(world, old, asked.relayState)).location).toBe(`${WEB}?error=reauthentication_unproven`);
  const again = await beginSignIn(world, { reauthenticate: true });
  const fresh = await signedResponse(world, again, memberSays({ authnInstant: 0 }));
  expect((await postResponse(world, fresh, again.relayState)).location).toContain('?code=');
});

test('a proof counts when it was asked for: a silent sign-in of this very moment proves nothing', async () => {
  const own = await aSamlWorld(api.url);
  const path = `/api/organizations/${own.organizationId}/saml-configurations/${own.configuration.id}/`;
  const changes = async (reauthenticate: boolean) => {
    const asked = await beginSignIn(own, { reauthenticate });
    // As Keycloak says, also 17 minutes after the password.
    const said = { nameId: own.admin.email, attributes: { [EMAIL_OID]: own.admin.email }, authnInstant: 0 };
    const { location } = await postResponse(own, await signedResponse(own, asked, said), asked.relayState);
    const code = new URL(location).searchParams.get('code');
    expect((await asked.browser.post('/api/auth/sso/exchange/', { code })).status).toBe(200);
    const { status, body } = await asked.browser.patch(path, { name: 'Renamed' });
    return status === 200 ? 'changed' : body.code;
  };
  expect([await changes(false), await changes(true)]).toEqual(['step_up_required', 'changed']);
  const listed = await asOwner('SELECT auth_time FROM sessions WHERE connection_id = $1 ORDER BY id', [
    own.configuration.id,
  ]);
  expect(listed[0]?.['auth_time']).toEqual(new Date(0));
});

test('while the provider changes its key, both certificates are accepted', async () => {
  const own = await aSamlWorld(api.url);
  const next = await aSamlWorld(api.url);
  const admin = new Client(api.url, { token: own.admin.token });
  const path = `/api/organizations/${own.organizationId}/saml-configurations/${own.configuration.id}/`;
  const rolled = { ...own, provider: { ...next.provider, entityId: own.provider.entityId } };
  const says = { issuer: own.provider.entityId, attributes: { [EMAIL_OID]: own.member.email } };
  const end = async (by: SamlWorld) => {
    const asked = await beginSignIn(own);
    return (await postResponse(own, await signedResponse(by, asked, says), asked.relayState)).location;
  };
  expect(await end(rolled)).toBe(`${WEB}?error=response_invalid`);
  await admin.patch(path, { next_certificate: next.provider.keyPair.certificate });
  expect(await end(rolled)).toContain('?code=');
  expect(await end(own)).toContain('?code=');
  await admin.patch(path, { certificate: next.provider.keyPair.certificate, next_certificate: null });
  expect(await end(rolled)).toContain('?code=');
  expect(await end(own)).toBe(`${WEB}?error=response_invalid`);
});
