/** Tests answers that no honest provider gives: none of them signs a person in. */
import { config } from '../../../../config.js';
import { Client } from '../../../support/api.js';
import { apiWorld } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import { type Forger, type Forgery, startForger } from './forger.support.js';
import { aConfiguration } from './oauth.support.js';
import { locationOf } from './oidcProvider.support.js';

let forger: Forger;
let configurationId: string;

const slug = 'forged';
const callback = `/api/auth/sso/oauth/${slug}/callback/`;

Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true, THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const { api, world } = apiWorld();
beforeAll(async () => {
  forger = await startForger(`client-${slug}`);
  ({ id: configurationId } = await aConfiguration(api.url, world, slug, { issuer: forger.issuer }));
});
afterAll(async () => {
  forger.close();
});

/** Clears the cached provider documents, as a change of the settings does. */
const forgetPublished = () => asOwner('UPDATE sso_connections SET name = name WHERE id = $1', [configurationId]);
beforeEach(forgetPublished);

const verified = () => ({ email: world.member.email, email_verified: true });

/** @returns the query of the callback that the sign-in ends at */
async function answered(forgery: Forgery, query: Record<string, string> = {}, login = ''): Promise<URLSearchParams> {
  const client = new Client(api.url);
  const begun = locationOf(await client.get(`/api/auth/sso/oauth/${slug}/login/${login}`));
  const { state, nonce } = Object.fromEntries(begun.searchParams) as Record<string, string>;
  forger.forge(forgery, nonce as string);
  if (forgery.packed !== undefined) await forgetPublished();
  const answer = new URLSearchParams({ code: 'a-code', state: state as string, iss: forger.issuer, ...query });
  const end = locationOf(await client.get(`${callback}?${answer}`));
  expect(end.origin + end.pathname).toBe(`${config.frontendUrl}/auth/sso/callback`);
  return end.searchParams;
}

test('an honest answer of this provider signs the member in', async () => {
  const end = await answered({ claims: verified() });
  expect([...end.keys()]).toEqual(['code']);
});

test('the authorization request has state, nonce and an S256 challenge, and the token request its verifier', async () => {
  const begun = locationOf(await new Client(api.url).get(`/api/auth/sso/oauth/${slug}/login/`));
  const parameters = Object.fromEntries(begun.searchParams);
  expect(parameters).toMatchObject({
    response_type: 'code',
    client_id: `client-${slug}`,
    scope: 'openid email profile',
    redirect_uri: `${config.backendUrl}${callback}`,
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  });
  await answered({ claims: verified() });
  expect(forger.asked.at(-1)?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
});

const now = () => Math.floor(Date.now() / 1000);

const FORGERIES: [name: string, forgery: () => Forgery, error: string][] = [
  ['an ID token without a signature', () => ({ claims: verified(), signedBy: 'none' }), 'response_invalid'],
  [
    'an ID token signed by a key that is not published',
    () => ({ claims: verified(), signedBy: 'stranger' }),
    'response_invalid',
  ],
  ['an ID token of an unknown key', () => ({ claims: verified(), header: { kid: 'other' } }), 'response_invalid'],
  [
    'an ID token of another issuer',
    () => ({ claims: { ...verified(), iss: 'https://issuer.example' } }),
    'response_invalid',
  ],
  [
    'an ID token of nearly the issuer',
    () => ({ claims: { ...verified(), iss: `${forger.issuer}/` } }),
    'response_invalid',
  ],
  ['an ID token for another client', () => ({ claims: { ...verified(), aud: 'somebody' } }), 'response_invalid'],
  ['an ID token of another sign-in', () => ({ claims: { ...verified(), nonce: 'other' } }), 'response_invalid'],
  ['an ID token without a nonce', () => ({ claims: { ...verified(), nonce: undefined } }), 'response_invalid'],
  ['an expired ID token', () => ({ claims: { ...verified(), exp: now() - 120 } }), 'response_invalid'],
  ['an ID token of the future', () => ({ claims: { ...verified(), nbf: now() + 600 } }), 'response_invalid'],
  ['an ID token without a subject', () => ({ claims: { ...verified(), sub: undefined } }), 'response_invalid'],
  [
    'no ID token',
    () => ({ token: { status: 200, body: '{"access_token":"x","token_type":"Bearer"}' } }),
    'response_invalid',
  ],
  [
    'a refusal of the token endpoint',
    () => ({ token: { status: 400, body: '{"error":"invalid_grant"}' } }),
    'provider_refused',
  ],
  ['something that is not JSON', () => ({ token: { status: 200, body: '<html>' } }), 'response_invalid'],
  ['userinfo of another person', () => ({ userinfo: { sub: 'other', ...verified() } }), 'response_invalid'],
  ['no address', () => ({ claims: { sub: 'nobody' }, userinfo: { sub: 'nobody' } }), 'email_missing'],
  ['an invalid address', () => ({ claims: { email: 'x', email_verified: true } }), 'email_missing'],
  [
    'an unverified address',
    () => ({ claims: { ...verified(), sub: 'u1', email_verified: false } }),
    'email_unverified',
  ],
  [
    'email_verified as text',
    () => ({ claims: { ...verified(), sub: 'u2', email_verified: 'true' } }),
    'email_unverified',
  ],
  [
    'an address without email_verified',
    () => ({ claims: { email: world.member.email, sub: 'u3' } }),
    'email_unverified',
  ],
  [
    'a claim of another kind of provider',
    () => ({ claims: { email: world.member.email, sub: 'u4', xms_edov: true } }),
    'email_unverified',
  ],
  [
    'an address of another domain',
    () => ({ claims: { sub: 'd', email: 'sam@elsewhere.org', email_verified: true } }),
    'email_domain_not_allowed',
  ],
  [
    'a domain with the same ending',
    () => ({ claims: { sub: 'd', email: 'sam@notexample.org', email_verified: true } }),
    'email_domain_not_allowed',
  ],
  ...['sub', 'given_name', 'family_name', 'email'].map((name): [string, () => Forgery, string] => [
    `NUL in ${name}`,
    () => ({ claims: { ...verified(), [name]: 'a\u0000b@example.org' } }),
    'response_invalid',
  ]),
  [
    'NUL in a name of userinfo',
    () => ({ userinfo: { sub: 'subject', ...verified(), given_name: '\u0000' } }),
    'response_invalid',
  ],
  ['half a character in the subject', () => ({ claims: { ...verified(), sub: 'a\ud800' } }), 'response_invalid'],
  ['an empty subject', () => ({ claims: { ...verified(), sub: '' } }), 'response_invalid'],
  ['a subject of 3000 characters', () => ({ claims: { ...verified(), sub: 'x'.repeat(3000) } }), 'response_invalid'],
  ['a subject of 1026 bytes', () => ({ claims: { ...verified(), sub: '名'.repeat(342) } }), 'response_invalid'],
  [
    'an address with a script in it',
    () => ({ claims: { sub: 'd', email: '"<script>"@example.org', email_verified: true } }),
    'email_missing',
  ],
  [
    'an address that reads backwards',
    () => ({ claims: { sub: 'd', email: 'gro.\u202emas@example.org', email_verified: true } }),
    'email_missing',
  ],
  [
    'two addresses in one',
    () => ({ claims: { sub: 'd', email: 'a@evil.org, b@example.org', email_verified: true } }),
    'email_missing',
  ],
];

test.each(FORGERIES)('an answer with %s signs no one in', async (_, forgery, error) => {
  expect(Object.fromEntries(await answered(forgery()))).toEqual({ error });
});

const UNUSABLE: [name: string, metadata: Record<string, unknown>][] = [
  ...['javascript:alert(1)', 'data:text/html,x', 'membership://x', 'https://a:b@idp.example/', '', null, 5, {}].map(
    (authorization_endpoint): [string, Record<string, unknown>] => [
      `authorization_endpoint ${JSON.stringify(authorization_endpoint)}`,
      { authorization_endpoint },
    ],
  ),
  ['token_endpoint 5', { token_endpoint: 5 }],
  ['jwks_uri {}', { jwks_uri: {} }],
  ['no jwks_uri', { jwks_uri: undefined }],
  ['userinfo_endpoint file:///', { userinfo_endpoint: 'file:///etc/passwd' }],
  ['token_endpoint_auth_methods_supported {}', { token_endpoint_auth_methods_supported: {} }],
  ['token_endpoint_auth_methods_supported null', { token_endpoint_auth_methods_supported: null }],
];

describe.each(UNUSABLE)('a provider with the metadata: %s', (_, metadata) => {
  beforeEach(() => Object.assign(forger, { metadata }));
  afterEach(() => Object.assign(forger, { metadata: {} }));

  test('a provider with such metadata begins no sign-in', async () => {
    const end = locationOf(await new Client(api.url).get(`/api/auth/sso/oauth/${slug}/login/`));
    expect(end.href).toBe(`${config.frontendUrl}/auth/sso/callback?error=response_invalid`);
  });

  test('a dry run finds such metadata', async () => {
    const path = `/api/organizations/${world.organizationId}/oauth-configurations/${configurationId}/test/`;
    const { status, body } = await new Client(api.url, { token: world.admin.token }).post(path, {});
    expect([status, body.reachable, body.failure]).toEqual([200, false, 'response_invalid']);
  });
});

test.each(['/.well-known/openid-configuration', '/jwks', '/token', '/userinfo'])(
  'a packed answer of %s signs no one in',
  async (packed) => {
    const { email, email_verified } = verified();
    const userinfo = { sub: 'subject', email, email_verified };
    expect([...(await answered({ userinfo })).keys()]).toEqual(['code']);
    const end = await answered({ userinfo, packed });
    forger.forge({}, '');
    expect(Object.fromEntries(end)).toEqual({ error: 'response_invalid' });
  },
);

test('an address from userinfo counts with the verification of userinfo, not with that of the ID token', async () => {
  const sub = 'userinfo';
  const { email } = verified();
  const unverified = { claims: { sub, email_verified: true }, userinfo: { sub, email } };
  expect(Object.fromEntries(await answered(unverified))).toEqual({ error: 'email_unverified' });
  const both = { claims: { sub: 'subject' }, userinfo: { sub: 'subject', ...verified() } };
  expect([...(await answered(both)).keys()]).toEqual(['code']);
});

test('an answer with another issuer or none is refused (RFC 9207)', async () => {
  expect(Object.fromEntries(await answered({ claims: verified() }, { iss: 'https://issuer.example' }))).toEqual({
    error: 'response_invalid',
  });
  const begun = locationOf(await new Client(api.url).get(`/api/auth/sso/oauth/${slug}/login/`));
  const query = new URLSearchParams({ code: 'x', state: begun.searchParams.get('state') as string });
  const end = locationOf(await new Client(api.url).get(`${callback}?${query}`));
  expect(end.search).toBe('?error=response_invalid');
});

test('a reauthentication without auth_time or with an old one proves nothing', async () => {
  const again = '?reauthenticate=true';
  expect(Object.fromEntries(await answered({ claims: verified() }, {}, again))).toEqual({
    error: 'reauthentication_unproven',
  });
  const old = { ...verified(), auth_time: now() - 3600 };
  expect(Object.fromEntries(await answered({ claims: old }, {}, again))).toEqual({
    error: 'reauthentication_unproven',
  });
  const fresh = { ...verified(), auth_time: now() };
  expect([...(await answered({ claims: fresh }, {}, again)).keys()]).toEqual(['code']);
});

test('text of the provider never appears in the address of the callback', async () => {
  const begun = locationOf(await new Client(api.url).get(`/api/auth/sso/oauth/${slug}/login/`));
  const state = begun.searchParams.get('state') as string;
  const query = new URLSearchParams({ error: 'evil_code', error_description: '<script>', state, iss: forger.issuer });
  const { headers, body } = await new Client(api.url).get(`${callback}?${query}&x=1&x=2`);
  expect([headers.get('location'), body]).toEqual([
    `${config.frontendUrl}/auth/sso/callback?error=provider_refused`,
    undefined,
  ]);
});

test('the forged answers left no identity of their own', async () => {
  const found = await asOwner('SELECT DISTINCT user_id, subject FROM sso_identities');
  expect(found).toEqual([{ user_id: world.member.userId, subject: 'subject' }]);
});
