/** Log-out that a provider sends from server to server (OpenID Connect Back-Channel Logout 1.0). */
import { randomUUID } from 'node:crypto';
import { config } from '../../../../config.js';
import { type Client } from '../../../support/api.js';
import { anApi } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import {
  adminOf,
  aForgedWorld,
  answered,
  configurationPath,
  type ForgedWorld,
  isSignedIn,
  signedIn,
} from './forgedWorld.support.js';

let world: ForgedWorld;
let other: ForgedWorld;

Object.assign(config, {
  SSO_ALLOW_PRIVATE_ADDRESSES: true,
  THROTTLE_LIMITS: { sso: 10_000, auth: 10_000, sso_logout: 10_000 },
});
const api = anApi();
beforeAll(async () => {
  [world, other] = [await aForgedWorld(api.url, 'ending'), await aForgedWorld(api.url, 'another')];
});
afterAll(async () => {
  world.forger.close();
  other.forger.close();
});

const now = () => Math.floor(Date.now() / 1000);
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** As Keycloak writes it: with `typ` in the claims, and the event of revoked offline tokens beside. */
const claims = (over: Record<string, unknown> = {}) => ({
  iat: now(),
  exp: now() + 120,
  jti: randomUUID(),
  iss: world.forger.issuer,
  aud: world.forger.clientId,
  sub: 'subject',
  typ: 'Logout',
  events: { [EVENT]: {}, revoke_offline_access: true },
  ...over,
});

const token = (over: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
  world.forger.signed(claims(over), header);

const post = (form: Record<string, string> | string, slug = world.slug, type = 'application/x-www-form-urlencoded') =>
  fetch(`${api.url}/api/auth/sso/oauth/${slug}/backchannel-logout/`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: new URLSearchParams(form).toString(),
  });
const end = async (over: Record<string, unknown> = {}) => (await post({ logout_token: token(over) })).status;

test('the address stands in the configuration', async () => {
  const { body } = await adminOf(world).get(configurationPath(world));
  expect(body.backchannel_logout_uri).toBe(`${config.backendUrl}/api/auth/sso/oauth/ending/backchannel-logout/`);
});

test('a session that the provider ends by its id ends here, and no other of the person', async () => {
  const [first, second] = [await signedIn(world, { sid: 'one' }), await signedIn(world, { sid: 'two' })];
  const answer = await post({ logout_token: token({ sid: 'one' }) });
  expect([answer.status, answer.headers.get('cache-control'), await answer.text()]).toEqual([200, 'no-store', '']);
  expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
  const told = await asOwner(
    `SELECT e.kind, s.revoked_reason FROM security_events e JOIN sessions s ON s.id = e.session_id
      WHERE e.user_id = $1 AND e.kind = 'session.ended_by_provider'`,
    [world.member.userId],
  );
  expect(told).toEqual([{ kind: 'session.ended_by_provider', revoked_reason: 'identity_provider' }]);
});

test('a token without a session ends all that the connection began for the person, and nothing else', async () => {
  const sessions = [await signedIn(world, { sid: 'a' }), await signedIn(world)];
  const admin = await signedIn(world, { sub: 'the-admin', email: world.admin.email });
  const elsewhere = await signedIn(other);
  expect(await end()).toBe(200);
  expect(await Promise.all([...sessions, admin, elsewhere].map(isSignedIn))).toEqual([false, false, true, true]);
  // What the person opened otherwise is not the provider's.
  expect((await adminOf(world).get('/api/auth/me/')).status).toBe(200);
});

test('a session alone is named too, without a subject', async () => {
  const client = await signedIn(world, { sid: 'alone' });
  expect([await end({ sid: 'alone', sub: undefined }), await isSignedIn(client)]).toEqual([200, false]);
});

test('the session of somebody else than the subject does not end', async () => {
  const client = await signedIn(world, { sid: 'mine' });
  expect([await end({ sid: 'mine', sub: 'stranger' }), await isSignedIn(client)]).toEqual([200, true]);
});

test('a code that was not exchanged yet is worth nothing after the log-out', async () => {
  const { email } = world.member;
  const { end: at, client } = await answered(world, { claims: { email, email_verified: true, sid: 'early' } });
  await end({ sid: 'early' });
  const { status } = await client.post('/api/auth/sso/exchange/', { code: at.searchParams.get('code') });
  expect(status).toBe(400);
});

test('a token that is sent again ends nothing more', async () => {
  const again = token();
  expect((await post({ logout_token: again })).status).toBe(200);
  const client = await signedIn(world);
  expect([(await post({ logout_token: again })).status, await isSignedIn(client)]).toEqual([200, true]);
});

const REFUSED: [name: string, made: () => string][] = [
  ['of another issuer', () => token({ iss: 'https://issuer.example' })],
  ['for another client', () => token({ aud: 'somebody' })],
  ['with a nonce, as an ID token has', () => token({ nonce: 'x' })],
  ['without the event', () => token({ events: {} })],
  ['whose event is no object', () => token({ events: { [EVENT]: true } })],
  ['that names nobody', () => token({ sub: undefined })],
  ['without an id', () => token({ jti: undefined })],
  ['without a time', () => token({ iat: undefined })],
  ['that is over', () => token({ exp: now() - 90 })],
  ['that was kept for an hour', () => token({ iat: now() - 3600, exp: now() + 3600 })],
  ['of the future', () => token({ iat: now() + 3600, exp: now() + 7200 })],
  ['that is said to be of another type', () => token({}, { typ: 'at+jwt' })],
  ['by a key that is not published', () => other.forger.signed(claims(), { kid: 'own' })],
  ['by a key that nobody knows', () => token({}, { kid: 'unknown' })],
  ['without a signature', () => `${token({}, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`],
  ['by a secret that two share', () => token({}, { alg: 'HS256' })],
  ['that is none', () => 'x.y.z'],
  ['of nothing', () => ''],
];

describe('a logout token is refused', () => {
  let client: Client;
  beforeAll(async () => void (client = await signedIn(world, { sid: 'kept' })));

  test.each(REFUSED)('%s', async (_name, made) => {
    const answer = await post({ logout_token: made() });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(((await answer.json()) as { code: string }).code).toBe('logout_token_refused');
    expect(await isSignedIn(client)).toBe(true);
  });

  test('at the address of another connection', async () => {
    expect([(await post({ logout_token: token() }, other.slug)).status, await isSignedIn(client)]).toEqual([400, true]);
  });

  test('when it is too long, no form, or for nobody', async () => {
    expect((await post({ logout_token: 'x'.repeat(20_000) })).status).toBe(413);
    expect((await post('{}', world.slug, 'application/json')).status).toBe(415);
    expect((await post({ logout_token: token() }, 'nobody')).status).toBe(404);
  });
});

test('however many are forged, the provider is asked for its keys once a minute at most', async () => {
  world.forger.paths.length = 0;
  for (let n = 0; n < 20; n += 1) await post({ logout_token: token({}, { kid: `forged-${n}` }) });
  expect(world.forger.paths.filter((path) => path === '/jwks').length).toBeLessThanOrEqual(1);
});
