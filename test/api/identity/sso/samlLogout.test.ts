/** Tests single logout, signed in both directions, against samlify. */
import { config } from '../../../../config.js';
import { makeKeyPair } from '../../../../gateways/saml/certificate.js';
import { logoutRequest } from '../../../../gateways/saml/messages.js';
import { signedRedirect } from '../../../../gateways/saml/redirectBinding.js';
import { Client } from '../../../support/api.js';
import { anApi } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import { base64, EMAIL_OID, newId, signXml } from '../../../support/samlProvider.js';
import { schemaProblems } from '../../../support/samlSchema.js';
import {
  aSamlWorld,
  beginSignIn,
  postForm,
  postResponse,
  type SamlWorld,
  signedResponse,
  signInBySaml,
} from '../../../support/samlWorld.js';

let world: SamlWorld;
let slsPath: string;

Object.assign(config, { THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const api = anApi();
beforeAll(async () => {
  world = await aSamlWorld(api.url);
  slsPath = new URL(world.configuration.sls_url).pathname;
});

/** Builds a LogoutRequest of the provider, sent to our address. */
function requestOf(
  nameId: string,
  over: Partial<{ issuer: string; destination: string; age: number; key: string; sessionIndex: string }> = {},
) {
  const { provider, configuration } = world;
  const destination = over.destination ?? configuration.sls_url;
  const nowMs = Date.now() - (over.age ?? 0) * 1000;
  const envelope = { id: newId(), destination, issuer: over.issuer ?? provider.entityId, nowMs };
  const xml = logoutRequest(envelope, { value: nameId, format: null, qualifiers: {} }, over.sessionIndex ?? null);
  const url = signedRedirect(slsPath, 'SAMLRequest', xml, 'state-1', over.key ?? provider.keyPair.privateKey);
  return { url, xml, id: envelope.id };
}

const REFUSED = [302, 'http://localhost:3000/auth/sso/callback?error=logout_refused'];
const endOf = async (url: string) => {
  const { status, headers } = await new Client(api.url).get(url);
  return [status, headers.get('location')];
};

const isSignedIn = async (browser: Client) => (await browser.get('/api/auth/me/')).status === 200;

test('the provider ends the sessions that it began and gets a signed answer', async () => {
  const { provider, serviceProvider, member } = world;
  const [browser, second] = [await signInBySaml(world, member.email), await signInBySaml(world, member.email)];
  const somebody = await signInBySaml(world, world.officer.email);
  const withPassword = new Client(api.url, { token: member.token });
  const { context, id } = provider.identityProvider.createLogoutRequest(
    serviceProvider,
    'redirect',
    {
      logoutNameID: member.email,
      nameID: member.email,
    },
    'state-1',
  );
  const { status, headers } = await new Client(api.url).get(context.slice(context.indexOf('/api/')));
  expect(status).toBe(302);
  const location = new URL(headers.get('location') ?? '');
  expect(location.origin + location.pathname).toBe('https://idp.example.org/slo');
  const parsed = await provider.identityProvider.parseLogoutResponse(serviceProvider, 'redirect', {
    query: Object.fromEntries(location.searchParams),
    octetString: location.search.slice(1).split('&Signature=')[0] as string,
  });
  expect(parsed.extract).toMatchObject({ response: { inResponseTo: id, destination: 'https://idp.example.org/slo' } });
  expect(location.searchParams.get('RelayState')).toBe('state-1');
  expect(await Promise.all([browser, second, somebody, withPassword].map(isSignedIn))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

describe('a logout request that names a session of the provider', () => {
  const by = (sessionIndex: string) => signInBySaml(world, world.member.email, { sessionIndex });
  const end = (sessionIndex?: string) =>
    new Client(api.url).get(requestOf(world.member.email, sessionIndex ? { sessionIndex } : {}).url);

  test('a logout request with a SessionIndex ends the sessions of that index and no others', async () => {
    const [laptop, desktop, silent] = [await by('laptop'), await by('desktop'), await by('laptop')];
    const app = await beginSignIn(world, { native: true });
    const fields = { nameId: world.member.email, attributes: { [EMAIL_OID]: world.member.email }, sessionIndex: 'app' };
    const { location } = await postResponse(world, await signedResponse(world, app, fields), app.relayState);
    const { body } = await new Client(api.url, { headers: { 'X-Client': 'native' } }).post('/api/auth/sso/exchange/', {
      code: new URL(location).searchParams.get('code'),
      code_verifier: app.verifier,
    });
    const native = new Client(api.url, { token: body.access_token });
    expect((await end('laptop')).status).toBe(302);
    const sessions = [laptop, silent, desktop, native];
    expect(await Promise.all(sessions.map(isSignedIn))).toEqual([false, false, true, true]);
    expect((await end('nobody-has-this')).status).toBe(302);
    expect(await Promise.all(sessions.map(isSignedIn))).toEqual([false, false, true, true]);
    expect((await end()).status).toBe(302);
    expect(await Promise.all(sessions.map(isSignedIn))).toEqual([false, false, false, false]);
  });

  test('a logout request with a SessionIndex ends a session without an index, which may be the same one', async () => {
    const [untold, other] = [await by(''), await by('desktop')];
    await end('laptop');
    expect(await Promise.all([untold, other].map(isSignedIn))).toEqual([false, true]);
  });

  test('a logout request ends a session of its index that has proven a password meanwhile', async () => {
    const browser = await by('laptop');
    await asOwner("UPDATE sessions SET auth_method = 'password' WHERE user_id = $1 AND confined", [
      world.member.userId,
    ]);
    await end('laptop');
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('a logout request revokes a code that was not exchanged yet', async () => {
    const flow = await beginSignIn(world);
    const fields = {
      nameId: world.member.email,
      attributes: { [EMAIL_OID]: world.member.email },
      sessionIndex: 'laptop',
    };
    const { location } = await postResponse(world, await signedResponse(world, flow, fields), flow.relayState);
    await end('laptop');
    const code = new URL(location).searchParams.get('code');
    const { body } = await flow.browser.post('/api/auth/sso/exchange/', { code });
    expect(body.code).toBe('sso_code_invalid');
  });
});

test('a posted logout request with an inner signature ends sessions too', async () => {
  const browser = await signInBySaml(world, world.member.email);
  const { xml } = requestOf(world.member.email);
  const signed = signXml(xml, world.provider.keyPair, { what: "/*[local-name(.)='LogoutRequest']" });
  const unsigned = await postForm(api.url, slsPath, { SAMLRequest: base64(xml) });
  expect([unsigned.status, unsigned.location]).toEqual(REFUSED);
  expect(await isSignedIn(browser)).toBe(true);
  expect((await postForm(api.url, slsPath, { SAMLRequest: base64(signed) })).status).toBe(302);
  expect(await isSignedIn(browser)).toBe(false);
});

describe('logout requests that end nothing', () => {
  let browser: Client;
  beforeAll(async () => {
    browser = await signInBySaml(world, world.member.email);
  });

  const refused = async (url: string) => {
    expect(await endOf(url)).toEqual(REFUSED);
    expect(await isSignedIn(browser)).toBe(true);
  };

  test('an unsigned logout request is refused', async () => {
    await refused(requestOf(world.member.email).url.replace(/&SigAlg=.*/, ''));
  });
  test.each(['constructor', 'toString', '__proto__', 'sha1', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'])(
    'a logout request signed with the algorithm %s is refused',
    async (algorithm) => {
      const { url } = requestOf(world.member.email);
      await refused(url.replace(/SigAlg=[^&]*/, `SigAlg=${encodeURIComponent(algorithm)}`));
    },
  );
  test('a logout request signed with another key is refused', async () => {
    await refused(requestOf(world.member.email, { key: (await makeKeyPair('evil', Date.now())).privateKey }).url);
  });
  test('an altered logout request is refused', async () => {
    await refused(requestOf(world.member.email).url.replace('state-1', 'state-2'));
  });
  test('a second message beside the signed logout request is refused', async () => {
    const [first, second] = [requestOf('nobody').url, requestOf(world.member.email).url];
    await refused(`${first}&${second.slice(second.indexOf('SAMLRequest='))}`);
  });
  test('a logout request of another issuer is refused', async () => {
    await refused(requestOf(world.member.email, { issuer: 'https://evil.example.org' }).url);
  });
  test('a logout request sent to another address is refused', async () => {
    await refused(requestOf(world.member.email, { destination: 'https://elsewhere.example.org/sls' }).url);
  });
  test('an old logout request is refused', async () => {
    await refused(requestOf(world.member.email, { age: 3600 }).url);
  });
  test('an empty logout request is refused', async () => {
    await refused(slsPath);
  });
});

test('a logout request is processed once', async () => {
  const { url } = requestOf(world.member.email);
  expect((await new Client(api.url).get(url)).status).toBe(302);
  const browser = await signInBySaml(world, world.member.email);
  expect(await endOf(url)).toEqual(REFUSED);
  expect(await isSignedIn(browser)).toBe(true);
});

describe('logout that begins at the platform', () => {
  const parse = async (redirect: string) => {
    const location = new URL(redirect);
    const { provider, serviceProvider } = world;
    return provider.identityProvider.parseLogoutRequest(serviceProvider, 'redirect', {
      query: Object.fromEntries(location.searchParams),
      octetString: location.search.slice(1).split('&Signature=')[0] as string,
    });
  };

  test('our log-out ends the session, redirects to the provider with its index and accepts one answer', async () => {
    const browser = await signInBySaml(world, world.member.email, { sessionIndex: 'index-7' });
    const later = await signInBySaml(world, world.member.email, { sessionIndex: 'index-8' });
    const { status, body } = await browser.post('/api/auth/sso/saml/logout/');
    expect(status).toBe(200);
    expect([await isSignedIn(browser), await isSignedIn(later)]).toEqual([false, true]);
    const request = await parse(body.redirect_to);
    expect(request.samlContent).toContain('<samlp:SessionIndex>index-7</samlp:SessionIndex>');
    expect(request.extract).toMatchObject({ nameID: world.member.email });
    expect(await schemaProblems(request.samlContent, 'protocol')).toEqual([]);

    const { context } = world.provider.identityProvider.createLogoutResponse(
      world.serviceProvider,
      request as never,
      'redirect',
      new URL(body.redirect_to).searchParams.get('RelayState') ?? '',
    ) as { context: string };
    const answer = context.slice(context.indexOf('/api/'));
    const { status: ended, headers } = await new Client(api.url).get(answer);
    expect([ended, headers.get('location')]).toEqual([302, 'http://localhost:3000']);
    expect(await endOf(answer)).toEqual(REFUSED);
  });

  test('log-out of a session that began with a password redirects to no provider', async () => {
    const someone = world.otherOfficer;
    const client = new Client(api.url, { token: someone.token });
    expect((await client.post('/api/auth/sso/saml/logout/')).body).toEqual({ redirect_to: null });
    expect(await isSignedIn(client)).toBe(false);
  });

  test('log-out from a provider without single logout redirects to no provider', async () => {
    const browser = await signInBySaml(world, world.member.email);
    const admin = new Client(api.url, { token: world.admin.token });
    const path = `/api/organizations/${world.organizationId}/saml-configurations/${world.configuration.id}/`;
    expect((await admin.patch(path, { slo_url: null })).status).toBe(200);
    expect((await browser.post('/api/auth/sso/saml/logout/')).body).toEqual({ redirect_to: null });
  });

  test('log-out without a session is a 401', async () => {
    expect((await new Client(api.url).post('/api/auth/sso/saml/logout/')).status).toBe(401);
  });
});
