/** Tests sign-in with OpenID Connect, end to end, against a certified provider. */
import { createHash, randomBytes } from 'node:crypto';
import { config } from '../../../../config.js';
import { Client } from '../../../support/api.js';
import { apiWorld } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import { aConfiguration } from './oauth.support.js';
import {
  locationOf,
  ProviderBrowser,
  type RunningProvider,
  type SignIn,
  signInByOAuth,
  startProvider,
  walk,
} from './oidcProvider.support.js';

let provider: RunningProvider;
let configurationId: string;

const slug = 'alpha';
const browser = () => new Client(api.url);
const app = () => new Client(api.url, { headers: { 'X-Client': 'native' } });
const accountOf = ({ userId, email }: { userId: string; email: string }) => ({
  sub: `s-${userId}`,
  email,
  email_verified: true,
});
const member = () => accountOf(world.member);
const WEB = `${config.frontendUrl}/auth/sso/callback`;
const NATIVE = 'membership://auth/sso/callback';
const EXCHANGE = '/api/auth/sso/exchange/';

Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true, THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const { api, world, other } = apiWorld();
beforeAll(async () => {
  provider = await startProvider([slug, 'beta']);
  ({ id: configurationId } = await aConfiguration(api.url, world, slug, { issuer: provider.issuer }));
  const { issuer } = provider;
  const urls = { authorization_url: `${issuer}/auth`, token_url: `${issuer}/token`, jwks_uri: `${issuer}/jwks` };
  await aConfiguration(api.url, other, 'beta', { issuer, ...urls, userinfo_url: `${issuer}/me` });
});

afterAll(async () => {
  await provider.close();
});

const endOf = (client: Client, more: Partial<SignIn> = {}) => walk(client, { slug, who: member(), ...more });

async function codeOf(client: Client, more: Partial<SignIn> = {}): Promise<string> {
  const end = await endOf(client, more);
  return end.searchParams.get('code') ?? `none: ${end.href}`;
}

const newVerifier = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
const nativeQuery = (verifier: string) => `?platform=native&code_challenge=${challengeOf(verifier)}`;

test('a member signs in with the identity provider of their organization', async () => {
  const client = browser();
  const { status, body } = await signInByOAuth(client, { slug, who: member() });
  expect([status, body]).toEqual([
    200,
    {
      user: expect.objectContaining({ id: world.member.userId, email: world.member.email }),
      organization: expect.objectContaining({ id: world.organizationId }),
    },
  ]);
  expect([(await client.get('/api/auth/me/')).status, client.cookieNames('sso_flow')]).toEqual([200, []]);
  const sessions = await asOwner(
    'SELECT auth_method, confined, organization_id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1',
    [world.member.userId],
  );
  expect(sessions).toEqual([{ auth_method: 'oauth', confined: true, organization_id: world.organizationId }]);
});

test('a provider whose addresses are all configured needs no discovery', async () => {
  const { status, body } = await signInByOAuth(browser(), { slug: 'beta', who: accountOf(other.member) });
  expect([status, body.organization.id]).toEqual([200, other.organizationId]);
});

test('the cookie of a flow is HttpOnly, SameSite=Lax and limited to the sign-in path', async () => {
  const { headers } = await browser().get(`/api/auth/sso/oauth/${slug}/login/`);
  expect(headers.getSetCookie().join()).toMatch(
    /^sso_flow_[\w-]{12}=[\w-]{43}; Max-Age=660; Path=\/api\/auth\/sso\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
  );
});

test.each([
  '',
  '?platform=web',
  '?platform=',
  '?platform=https://evil.example',
  '?platform=NATIVE',
  '?platform=a&platform=native',
])('a sign-in with %p ends on the web', async (query) => {
  const end = await endOf(browser(), { query });
  expect(end.origin + end.pathname).toBe(WEB);
  expect([...end.searchParams.keys()]).toEqual(['code']);
});

test("a provider's answer is accepted once", async () => {
  const client = browser();
  const begun = await client.get(`/api/auth/sso/oauth/${slug}/login/`);
  const callback = await new ProviderBrowser().signIn(begun.headers.get('location') as string, member());
  expect(locationOf(await client.get(callback)).searchParams.has('code')).toBe(true);
  expect(locationOf(await client.get(callback)).href).toBe(`${WEB}?error=flow_expired`);
});

test('an expired flow of an app ends on the web with an error', async () => {
  const begun = await app().get(`/api/auth/sso/oauth/${slug}/login/${nativeQuery(newVerifier())}`);
  const callback = await new ProviderBrowser().signIn(begun.headers.get('location') as string, member());
  await asOwner(`UPDATE sso_flows SET expires_at = now() - interval '1 second'`);
  expect(locationOf(await app().get(callback)).href).toBe(`${WEB}?error=flow_expired`);
});

test.each(['', '?code=x', '?code=x&state=forged', '?state=a&state=b', '?error=access_denied', '?state=%00'])(
  'an answer without a flow signs no one in: %p',
  async (query) => {
    const { status, headers } = await browser().get(`/api/auth/sso/oauth/${slug}/callback/${query}`);
    expect([
      [302, `${WEB}?error=flow_expired`],
      [302, `${WEB}?error=request_invalid`],
    ]).toContainEqual([status, headers.get('location')]);
  },
);

test('an answer at the address of another configuration is refused, and its flow is deleted', async () => {
  const client = browser();
  const begun = await client.get(`/api/auth/sso/oauth/${slug}/login/`);
  const callback = await new ProviderBrowser().signIn(begun.headers.get('location') as string, member());
  const elsewhere = locationOf(await client.get(callback.replace(`/${slug}/`, '/beta/')));
  expect([elsewhere.search, locationOf(await client.get(callback)).search]).toEqual([
    '?error=response_invalid',
    '?error=flow_expired',
  ]);
});

test("a provider's refusal reaches the callback as a code without the provider's text", async () => {
  const deny = '"><script>alert(1)</script>';
  expect((await endOf(browser(), { who: { deny } })).href).toBe(`${WEB}?error=provider_refused`);
  const end = await endOf(app(), { who: { deny }, query: nativeQuery(newVerifier()) });
  expect(end.href).toBe(`${NATIVE}?error=provider_refused`);
});

test('a sign-in proves a recent authentication only if it asked for reauthentication', async () => {
  const [known, fresh] = [browser(), browser()];
  const who = accountOf(world.admin);
  const session = new ProviderBrowser();
  await signInByOAuth(known, { slug, who, browser: session });
  await signInByOAuth(fresh, { slug, who, browser: session, query: '?reauthenticate=true' });
  const path = `/api/organizations/${world.organizationId}/oauth-configurations/${configurationId}/`;
  const edit = { name: 'Renamed' };
  expect((await known.patch(path, edit)).body.code).toBe('step_up_required');
  expect((await fresh.patch(path, edit)).status).toBe(200);
});

test('an SSO session cannot leave its organization', async () => {
  await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    other.organizationId,
    world.officer.userId,
    other.chapterId,
  ]);
  const client = browser();
  await signInByOAuth(client, { slug, who: accountOf(world.officer) });
  const { status } = await client.post('/api/auth/switch-organization/', { organization: other.organizationId });
  expect(status).toBe(403);
});

test.each(['nobody', 'ALPHA%2e', '%ff'])(
  'a sign-in at the unknown configuration %s ends at the callback',
  async (unknown) => {
    const end = locationOf(await browser().get(`/api/auth/sso/oauth/${unknown}/login/`));
    expect(end.href).toBe(`${WEB}?error=${unknown === '%ff' ? 'request_invalid' : 'connection_inactive'}`);
  },
);

test('a provider that does not answer causes an error code, not a server error', async () => {
  const issuer = 'http://127.0.0.1:9';
  await aConfiguration(api.url, world, 'silent', { issuer });
  const end = locationOf(await browser().get('/api/auth/sso/oauth/silent/login/'));
  expect(end.href).toBe(`${WEB}?error=provider_unavailable`);
});

test.each(['https://127.0.0.1', 'https://localhost', 'https://[::1]', 'https://169.254.169.254', 'https://2130706433'])(
  'a provider on a private network is not contacted: %s',
  async (issuer) => {
    const inside = `inside-${randomBytes(4).toString('hex')}`;
    await aConfiguration(api.url, world, inside, { issuer });
    Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: false });
    try {
      const end = locationOf(await browser().get(`/api/auth/sso/oauth/${inside}/login/`));
      expect(end.href).toBe(`${WEB}?error=provider_unavailable`);
      const plain = locationOf(await browser().get(`/api/auth/sso/oauth/${slug}/login/`));
      expect(plain.href).toBe(`${WEB}?error=provider_unavailable`);
    } finally {
      Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true });
    }
  },
);

test('a configuration or organization that is deactivated at any moment of the flow signs no one in', async () => {
  const client = browser();
  const begun = await client.get(`/api/auth/sso/oauth/${slug}/login/`);
  const callback = await new ProviderBrowser().signIn(begun.headers.get('location') as string, member());
  const code = await codeOf(client);
  const active = (value: boolean) =>
    asOwner('UPDATE sso_connections SET is_active = $2 WHERE id = $1', [configurationId, value]);
  await active(false);
  try {
    expect(locationOf(await client.get(`/api/auth/sso/oauth/${slug}/login/`)).search).toBe(
      '?error=connection_inactive',
    );
    expect(locationOf(await client.get(callback)).search).toBe('?error=connection_inactive');
    expect((await client.post(EXCHANGE, { code })).body.code).toBe('sso_access_ended');
  } finally {
    await active(true);
  }
});
