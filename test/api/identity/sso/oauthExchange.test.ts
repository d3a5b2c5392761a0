/** Tests the exchange of a one-time code: by the same browser or the app's verifier, once, within a minute. */
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
  startProvider,
  walk,
} from './oidcProvider.support.js';

let provider: RunningProvider;

const slug = 'alpha';
const browser = () => new Client(api.url);
const app = () => new Client(api.url, { headers: { 'X-Client': 'native' } });
const NATIVE = 'membership://auth/sso/callback';
const EXCHANGE = '/api/auth/sso/exchange/';

Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true, THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const { api, world } = apiWorld();
beforeAll(async () => {
  provider = await startProvider([slug]);
  await aConfiguration(api.url, world, slug, { issuer: provider.issuer });
});

afterAll(async () => {
  await provider.close();
});

const member = () => ({ sub: `s-${world.member.userId}`, email: world.member.email, email_verified: true });
const endOf = (client: Client, more: Partial<SignIn> = {}) => walk(client, { slug, who: member(), ...more });

async function codeOf(client: Client, more: Partial<SignIn> = {}): Promise<string> {
  const end = await endOf(client, more);
  return end.searchParams.get('code') ?? `none: ${end.href}`;
}

const newVerifier = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
const nativeQuery = (verifier: string) => `?platform=native&code_challenge=${challengeOf(verifier)}`;

test('an app signs in with its verifier and gets tokens in the body', async () => {
  const verifier = newVerifier();
  const end = await endOf(app(), { query: nativeQuery(verifier) });
  expect(end.href.split('?')[0]).toBe(NATIVE);
  const { status, body, headers } = await app().post(EXCHANGE, {
    code: end.searchParams.get('code'),
    code_verifier: verifier,
  });
  expect([status, typeof body.access_token, headers.getSetCookie().join().includes('access_token')]).toEqual([
    200,
    'string',
    false,
  ]);
  expect((await new Client(api.url, { token: body.access_token }).get('/api/auth/me/')).status).toBe(200);
});

test.each([
  '?platform=native',
  '?platform=native&code_challenge=short',
  `?platform=native&code_challenge=${'a'.repeat(44)}`,
  `?platform=native&code_challenge=${'+'.repeat(43)}`,
])('an app without a challenge of 43 characters is refused: %s', async (query) => {
  const { status, headers } = await app().get(`/api/auth/sso/oauth/${slug}/login/${query}`);
  expect([status, headers.get('location')]).toEqual([302, 'membership://auth/sso/callback?error=request_invalid']);
});

test('a challenge method other than S256 is refused', async () => {
  const query = `${nativeQuery(newVerifier())}&code_challenge_method=plain`;
  const { status, headers } = await app().get(`/api/auth/sso/oauth/${slug}/login/${query}`);
  expect([status, headers.get('location')]).toEqual([302, 'membership://auth/sso/callback?error=request_invalid']);
});

test.each<[string, (verifier: string) => string | undefined]>([
  ['none', () => undefined],
  ['another', () => newVerifier()],
  ['one that is too short', (verifier) => verifier.slice(1)],
  ['the challenge itself', (verifier) => challengeOf(verifier)],
])('after a wrong verifier (%s) the right one finds no code', async (_, wrong) => {
  const verifier = newVerifier();
  const code = await codeOf(app(), { query: nativeQuery(verifier) });
  const first = await app().post(EXCHANGE, { code, code_verifier: wrong(verifier) });
  const second = await app().post(EXCHANGE, { code, code_verifier: verifier });
  expect([first, second].map(({ status, body }) => [status, body.code])).toEqual([
    [400, 'sso_code_invalid'],
    [400, 'sso_code_invalid'],
  ]);
});

test('a code of the web is refused in another browser, which uses it up', async () => {
  const client = browser();
  const code = await codeOf(client);
  const thief = browser();
  await thief.get(`/api/auth/sso/oauth/${slug}/login/`);
  expect((await thief.post(EXCHANGE, { code })).body.code).toBe('sso_code_invalid');
  expect((await client.post(EXCHANGE, { code })).body.code).toBe('sso_code_invalid');
});

test('a code of the web is refused without a cookie for every kind of client', async () => {
  const code = await codeOf(browser());
  expect((await app().post(EXCHANGE, { code, code_verifier: newVerifier() })).body.code).toBe('sso_code_invalid');
});

test('a browser gets cookies even when a script requests the tokens in the body', async () => {
  const client = browser();
  const code = await codeOf(client);
  const { status, body } = await client.post(EXCHANGE, { code }, { 'X-Client': 'native' });
  expect([status, body.access_token]).toEqual([200, undefined]);
});

test('of two exchanges of one code one wins', async () => {
  for (let round = 0; round < 5; round += 1) {
    const client = browser();
    const code = await codeOf(client);
    const both = await Promise.all([client.post(EXCHANGE, { code }), client.post(EXCHANGE, { code })]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  }
});

describe('one browser with several tabs', () => {
  const begin = async (client: Client) => locationOf(await client.get(`/api/auth/sso/oauth/${slug}/login/`)).href;
  const finish = async (client: Client, begun: string) => {
    const callback = await new ProviderBrowser().signIn(begun, member());
    return (await client.post(EXCHANGE, { code: locationOf(await client.get(callback)).searchParams.get('code') }))
      .status;
  };

  test('each tab finishes its own sign-in, in any order', async () => {
    const client = browser();
    const [first, second] = [await begin(client), await begin(client)];
    expect([await finish(client, first), await finish(client, second)]).toEqual([200, 200]);
    expect(client.cookieNames('sso_flow')).toEqual([]);
  });

  test('a browser keeps its eight newest sign-ins and drops the older ones', async () => {
    const client = browser();
    const begun: string[] = [];
    for (let tab = 0; tab < 12; tab += 1) begun.push(await begin(client));
    expect(client.cookieNames('sso_flow')).toHaveLength(8);
    expect([await finish(client, begun[3] as string), await finish(client, begun[4] as string)]).toEqual([400, 200]);
    expect(client.cookieNames('sso_flow')).toHaveLength(7);
  });
});

test('a code is used once', async () => {
  const client = browser();
  const code = await codeOf(client);
  const [name = ''] = client.cookieNames('sso_flow');
  const cookie = client.cookie(name) as string;
  expect((await client.post(EXCHANGE, { code })).status).toBe(200);
  client.setCookie(name, cookie, '/api/auth/sso/');
  expect((await client.post(EXCHANGE, { code })).body.code).toBe('sso_code_invalid');
});

test('a code is valid for a minute', async () => {
  const client = browser();
  const code = await codeOf(client);
  const [row] = await asOwner<{ seconds: number }>(
    'SELECT max(extract(epoch FROM expires_at - created_at))::int AS seconds FROM sso_codes',
  );
  await asOwner(`UPDATE sso_codes SET expires_at = now() - interval '1 second'`);
  expect([row?.seconds, (await client.post(EXCHANGE, { code })).body.code]).toEqual([60, 'sso_code_invalid']);
});

test('codes, cookies, states and nonces are not stored in plain text', async () => {
  const client = browser();
  const begun = locationOf(await client.get(`/api/auth/sso/oauth/${slug}/login/`));
  const code = await codeOf(client);
  const [stored] = await asOwner<{ text: string }>(
    `SELECT (SELECT string_agg(f::text, ' ') FROM sso_flows f) || (SELECT string_agg(c::text, ' ') FROM sso_codes c) AS text`,
  );
  for (const secret of [
    code,
    ...client.cookieNames('sso_flow').map((name) => client.cookie(name)),
    ...['state', 'nonce'].map((name) => begun.searchParams.get(name)),
  ]) {
    expect(stored?.text).not.toContain(secret);
  }
});
