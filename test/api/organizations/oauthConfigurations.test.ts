/** Tests OAuth identity providers as the admins of an organization connect them. */
import { config } from '../../../config.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aWorld, type World } from '../../support/world.js';
import { startForger } from '../identity/sso/forger.support.js';
import { aConfiguration } from '../identity/sso/oauth.support.js';
import { startProvider } from '../identity/sso/oidcProvider.support.js';

let admin: Client;

const directory_id = '11111111-2222-4333-8444-555555555555';
const SECRET = 'a-secret-that-nobody-sees';
let sequence = 0;
const body = (fields: Record<string, unknown> = {}) => ({
  provider: 'workspace',
  name: 'Alpha',
  slug: `slug-${(sequence += 1)}`,
  client_id: 'client',
  client_secret: SECRET,
  allowed_domains: ['alpha.edu'],
  ...fields,
});
const generic = (fields: Record<string, unknown> = {}) =>
  body({ provider: 'generic', issuer: 'https://idp.alpha.edu', ...fields });
const base = ({ organizationId }: World) => `/api/organizations/${organizationId}/oauth-configurations/`;
const fieldsOf = ({ status, body: answer }: { status: number; body: { errors?: object } }) => [
  status,
  Object.keys(answer.errors ?? {}),
];

Object.assign(config, { THROTTLE_LIMITS: { sso: 10_000, sso_discovery: 10_000 } });
const { api, world, other } = apiWorld();
beforeAll(async () => {
  admin = new Client(api.url, { token: world.admin.token });
});
afterEach(() => Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: false }));

test('an admin connects, reads, changes and removes a provider', async () => {
  const created = await admin.post(base(world), body({ slug: 'alpha-university' }));
  expect([created.status, created.body]).toEqual([
    201,
    expect.objectContaining({
      provider: 'workspace',
      scopes: 'openid email profile',
      allowed_domains: ['alpha.edu'],
      is_active: true,
      auto_provision: false,
      redirect_uri: `${config.backendUrl}/api/auth/sso/oauth/alpha-university/callback/`,
    }),
  ]);
  const address = `${base(world)}${created.body.id}/`;
  const changed = await admin.patch(address, { name: 'Beta', allowed_domains: ['Beta.EDU', 'beta.edu'], version: 1 });
  expect([changed.status, changed.body.name, changed.body.allowed_domains, changed.body.version]).toEqual([
    200,
    'Beta',
    ['beta.edu'],
    2,
  ]);
  expect((await admin.get(base(world))).body.results.map(({ id }: { id: string }) => id)).toEqual([created.body.id]);
  expect((await admin.delete(address)).status).toBe(204);
  expect((await admin.get(address)).status).toBe(404);
  expect(await asOwner('SELECT FROM oauth_configurations WHERE id = $1', [created.body.id])).toEqual([]);
});

test('the client secret is encrypted, and in no answer and no log', async () => {
  const created = await admin.post(base(world), body());
  const changed = await admin.patch(`${base(world)}${created.body.id}/`, { client_secret: `${SECRET}-2` });
  const shown = [created, changed, await admin.get(base(world)), await admin.get(`${base(world)}${created.body.id}/`)];
  const logged = await asOwner('SELECT * FROM audit_log WHERE subject_id = $1', [created.body.id]);
  const stored = await asOwner('SELECT * FROM oauth_configurations WHERE id = $1', [created.body.id]);
  expect(JSON.stringify([shown, logged, stored])).not.toContain(SECRET);
  expect([changed.status, logged.length]).toEqual([200, 2]);
});

test.each<[string, () => Record<string, unknown>, string]>([
  ['the preset has its addresses', () => body({ token_url: 'https://a.example/t' }), 'token_url'],
  ['the preset has its issuer', () => body({ issuer: 'https://a.example' }), 'issuer'],
  ['the workspace provider has no directories', () => body({ directory_id }), 'directory_id'],
  ['the cloud-office provider needs its directory', () => body({ provider: 'cloud_office' }), 'directory_id'],
  ['a directory is an id', () => body({ provider: 'cloud_office', directory_id: 'common' }), 'directory_id'],
  ['the generic provider needs its issuer', () => body({ provider: 'generic' }), 'issuer'],
  [
    'a generic provider with addresses needs its keys',
    () => generic({ authorization_url: 'https://a.example/a', token_url: 'https://a.example/t' }),
    'jwks_uri',
  ],
  ['userinfo alone proves nothing', () => generic({ userinfo_url: 'https://a.example/me' }), 'authorization_url'],
  ['plain http is refused', () => generic({ issuer: 'http://idp.alpha.edu' }), 'issuer'],
  ['a script is no address', () => generic({ issuer: 'javascript:alert(1)' }), 'issuer'],
  ['an address has no credentials', () => generic({ issuer: 'https://user:pass@idp.alpha.edu' }), 'issuer'],
  ['OpenID Connect needs its scope', () => body({ scopes: 'email profile' }), 'scopes'],
  ['scopes are words', () => body({ scopes: 'openid "x"' }), 'scopes'],
  ['a domain is needed', () => body({ allowed_domains: [] }), 'allowed_domains'],
  ['domains are domains', () => body({ allowed_domains: ['*.edu'] }), 'allowed_domains.0'],
  ['a slug is part of an address', () => body({ slug: '../x' }), 'slug'],
  ['a secret is not empty', () => body({ client_secret: '' }), 'client_secret'],
  ['automatic accounts need a chapter', () => body({ auto_provision: true }), 'provision_chapter'],
  [
    'a chapter of another organization is none',
    () => body({ auto_provision: true, provision_chapter: other.chapterId }),
    'provision_chapter',
  ],
  ['no one becomes a prospective member', () => body({ provision_status: 'pnm' }), 'provision_status'],
  ['there are three providers', () => body({ provider: 'facebook' }), 'provider'],
  ['unknown fields are named', () => body({ role: 'president' }), 'role'],
])('an invalid configuration names its field: %s', async (_, given, field) => {
  expect(fieldsOf(await admin.post(base(world), given()))).toEqual([400, [field]]);
});

test.each<[string, () => Record<string, unknown>]>([
  ['cloud_office', () => body({ provider: 'cloud_office', directory_id })],
  ['generic, discovered', () => generic()],
  [
    'generic, with its addresses',
    () =>
      generic({
        authorization_url: 'https://a.example/a',
        token_url: 'https://a.example/t',
        jwks_uri: 'https://a.example/k',
      }),
  ],
])('a provider can be connected: %s', async (_, given) => {
  expect((await admin.post(base(world), given())).status).toBe(201);
});

test('a slug is unique on the whole platform', async () => {
  await admin.post(base(world), body({ slug: 'taken' }));
  const theirs = await new Client(api.url, { token: other.admin.token }).post(base(other), body({ slug: 'TAKEN' }));
  expect([theirs.status, theirs.body.code, Object.keys(theirs.body.errors)]).toEqual([409, 'duplicate', ['slug']]);
});

test('a client secret cannot be used with another server', async () => {
  const { body: made } = await admin.post(base(world), generic());
  const address = `${base(world)}${made.id}/`;
  const moved = { issuer: 'https://elsewhere.example' };
  expect(fieldsOf(await admin.patch(address, moved))).toEqual([400, ['client_secret']]);
  expect((await admin.patch(address, { ...moved, client_secret: 'the-new-secret' })).status).toBe(200);
});

test('of two editors of one version the second gets a conflict', async () => {
  const { body: made } = await admin.post(base(world), body());
  const address = `${base(world)}${made.id}/`;
  await admin.patch(address, { client_id: 'other', version: made.version });
  expect((await admin.patch(address, { name: 'Late', version: made.version })).body.code).toBe('stale_version');
});

const NO_BODY = () => undefined;
const CALLS: [method: string, path: (id: string) => string, body: () => unknown][] = [
  ['GET', () => '', NO_BODY],
  ['POST', () => '', () => body()],
  ['GET', (id) => `${id}/`, NO_BODY],
  ['PATCH', (id) => `${id}/`, () => ({ name: 'X' })],
  ['DELETE', (id) => `${id}/`, NO_BODY],
  ['POST', (id) => `${id}/test/`, () => ({})],
];

test.each(CALLS)('%s is for admins of the organization', async (method, path, given) => {
  const { id } = await aConfiguration(api.url, world, `guarded-${(sequence += 1)}`, { provider: 'workspace' });
  const ask = (token: string | undefined, where: World = world) =>
    new Client(api.url, token === undefined ? { headers: { Authorization: '' } } : { token })
      .send(method, base(where) + path(id), given())
      .then(({ status }) => status);
  expect(await ask(undefined)).toBe(401);
  for (const { token } of [world.member, world.officer, world.regionalAdmin]) expect(await ask(token)).toBe(403);
  expect(await ask(other.admin.token)).toBe(404);
  if (path(id) !== '') expect(await ask(other.admin.token, other)).toBe(404);
});

test.each(CALLS.filter(([method, path]) => method !== 'GET' && !path('').includes('test')))(
  '%s needs a recent proof',
  async (method, path, given) => {
    const { id } = await aConfiguration(api.url, world, `recent-${(sequence += 1)}`, { provider: 'workspace' });
    await asOwner(`UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1`, [
      world.admin.userId,
    ]);
    const answer = await admin.send(method, base(world) + path(id), given());
    await asOwner('UPDATE sessions SET auth_time = now() WHERE user_id = $1', [world.admin.userId]);
    expect([answer.status, answer.body.code]).toEqual([403, 'step_up_required']);
  },
);

test('the list takes the same number of statements for many as for one', async () => {
  const admins = new Client(api.url, { token: other.admin.token });
  const list = () => countStatements(() => admins.get(`${base(other)}?page_size=100`));
  await admins.post(base(other), body());
  await list();
  const one = await list();
  for (let n = 0; n < 5; n += 1) await admins.post(base(other), body());
  expect([await list(), (await admins.get(base(other))).body.count]).toEqual([one, 6]);
});

test('a dry run contacts the provider and reads the claims without signing anyone in', async () => {
  Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true });
  const forger = await startForger('client');
  const { body: made } = await admin.post(base(world), generic({ issuer: forger.issuer }));
  const claims = { sub: '1', email: 'sam@other.edu', email_verified: 'yes', given_name: 'Sam' };
  const { status, body: tried } = await admin.post(`${base(world)}${made.id}/test/`, { claims });
  forger.close();
  expect([status, tried]).toEqual([
    200,
    {
      reachable: true,
      failure: null,
      issuer: forger.issuer,
      authorization_url: `${forger.issuer}/auth`,
      token_url: `${forger.issuer}/token`,
      jwks_uri: `${forger.issuer}/jwks`,
      keys: 1,
      // This provider issues a token without checking the secret.
      client_secret: 'not_told',
      attributes: { subject: '1', email: 'sam@other.edu', email_verified: false, first_name: 'Sam', last_name: null },
      problems: ['email_domain_not_allowed', 'email_unverified'],
    },
  ]);
  const again = await admin.post(`${base(world)}${made.id}/test/`, {});
  expect([again.status, again.body.reachable, again.body.failure]).toEqual([200, false, 'provider_unavailable']);
});

test.each<[string, number, string, string]>([
  ['takes every secret', 400, '{"error":"invalid_grant"}', 'not_told'],
  ['does not know the client', 401, '{"error":"invalid_client"}', 'refused'],
  ['refuses without a reason', 400, '{"error":"invalid_request"}', 'not_told'],
  ['is broken', 500, '<html>', 'not_told'],
])('a dry run with a provider that %s (%p, %p) reports the secret as %p', async (_name, status, answer, expected) => {
  Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true });
  const forger = await startForger('client');
  const { body: made } = await admin.post(base(world), generic({ issuer: forger.issuer }));
  forger.forge({ token: { status, body: answer } }, '');
  const { body: tried } = await admin.post(`${base(world)}${made.id}/test/`, {});
  forger.close();
  expect([tried.reachable, tried.client_secret]).toEqual([true, expected]);
});

test('a dry run with a certified provider tells a right secret from a wrong one', async () => {
  Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true });
  const provider = await startProvider(['secret-a', 'secret-b']);
  const { issuer } = provider;
  const right = generic({ issuer, client_id: 'client-secret-a', client_secret: 'secret-of-secret-a' });
  const wrong = generic({ issuer, client_id: 'client-secret-b', client_secret: 'secret-of-somebody' });
  const results: string[] = [];
  for (const given of [right, wrong]) {
    const { body: made } = await admin.post(base(world), given);
    results.push((await admin.post(`${base(world)}${made.id}/test/`, {})).body.client_secret);
  }
  await provider.close();
  expect(results).toEqual(['accepted', 'refused']);
});

test("an organization that lists another's domain many times does not hide the other's provider from discovery", async () => {
  const allowed_domains = ['popular.edu'];
  for (let n = 0; n < 21; n += 1) await admin.post(base(world), body({ slug: `squatter-${n}`, allowed_domains }));
  const theirs = new Client(api.url, { token: other.admin.token });
  await theirs.post(base(other), body({ slug: 'rightful', allowed_domains }));
  const { body: found } = await new Client(api.url).get('/api/auth/sso/discover/?domain=popular.edu');
  const slugs = JSON.stringify(found).match(/"slug":"(squatter|rightful)[^"]*"/g);
  expect(slugs).toContain('"slug":"rightful"');
  expect(slugs).toHaveLength(4);
});

test.each([
  ['', 'subject_missing'],
  ['x'.repeat(1025), 'unusable_text'],
  ['a\u001bb', 'unusable_text'],
])('a dry run reports a problem with the subject of the claims', async (sub, problem) => {
  const { body: made } = await admin.post(base(world), body({ allowed_domains: ['other.edu'] }));
  const claims = { sub, email: 'sam@other.edu', email_verified: true, hd: 'other.edu' };
  const { status, body: tried } = await admin.post(`${base(world)}${made.id}/test/`, { claims });
  expect([status, tried.problems]).toEqual([200, [problem]]);
});

test('discovery shows only the providers of the requested domain', async () => {
  await admin.post(base(world), body({ name: 'Gamma', slug: 'gamma', allowed_domains: ['gamma.edu'] }));
  await admin.post(base(world), body({ slug: 'off', allowed_domains: ['gamma.edu'], is_active: false }));
  const provider = {
    name: 'Gamma',
    provider: 'workspace',
    kind: 'oauth',
    slug: 'gamma',
    login_url: `${config.backendUrl}/api/auth/sso/oauth/gamma/login/`,
  };
  const anybody = new Client(api.url);
  for (const query of ['email=Sam@GAMMA.edu', 'domain=gamma.edu', 'domain=Gamma.EDU']) {
    const { status, body: found } = await anybody.get(`/api/auth/sso/discover/?${query}`);
    const [organization] = await asOwner('SELECT name, slug FROM organizations WHERE id = $1', [world.organizationId]);
    expect([status, found]).toEqual([200, { providers: [{ ...provider, organization }] }]);
  }
  const { body: listed } = await anybody.get(`/api/auth/sso/organizations/${world.organizationId}/identity-providers/`);
  expect(listed).toContainEqual(provider);
  expect(JSON.stringify(listed)).not.toMatch(/"off"|client_id|domains/);
});

test.each(['domain=nobody.edu', 'email=sam@nobody.edu', 'domain=sub.gamma.edu', 'domain=amma.edu'])(
  'discovery of %s finds nothing',
  async (query) => {
    const { status, body: found } = await new Client(api.url).get(`/api/auth/sso/discover?${query}`);
    expect([status, found]).toEqual([200, { providers: [] }]);
  },
);

test.each(['', '?email=sam', '?domain=a', '?domain=%25', '?email=a@a.edu&domain=a.edu', '?q=a'])(
  'discovery needs a domain or an address: %p',
  async (query) => {
    expect((await new Client(api.url).get(`/api/auth/sso/discover/${query}`)).status).toBe(400);
  },
);

test('the providers of an unknown or malformed organization are a 404', async () => {
  for (const id of ['11111111-2222-4333-8444-555555555555', 'x']) {
    const { status } = await new Client(api.url).get(`/api/auth/sso/organizations/${id}/identity-providers/`);
    expect(status).toBe(404);
  }
});

test('discovery hides the providers of a suspended organization', async () => {
  const suspended = await aWorld();
  await aConfiguration(api.url, suspended, 'gone', { provider: 'workspace', allowed_domains: ['gone.edu'] });
  await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [suspended.organizationId]);
  const anybody = new Client(api.url);
  expect((await anybody.get('/api/auth/sso/discover/?domain=gone.edu')).body).toEqual({ providers: [] });
  const { headers } = await anybody.get('/api/auth/sso/oauth/gone/login/');
  expect(headers.get('location')).toContain('?error=connection_inactive');
});
