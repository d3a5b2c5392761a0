/** Tests log-out from the provider's server to ours (OpenID Connect Back-Channel Logout 1.0). */
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

/** Builds the claims as Keycloak does: with `typ`, and with the event for revoked offline tokens as well. */
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

test('the configuration shows the address for logout tokens', async () => {
  const { body } = await adminOf(world).get(configurationPath(world));
  expect(body.backchannel_logout_uri).toBe(`${config.backendUrl}/api/auth/sso/oauth/ending/backchannel-logout/`);
});

test('a logout token with a session id ends this session and no other session of the person', async () => {
  const [first, second] = [await signedIn(world, { sid: 'one' }), await signedIn(world, { sid: 'two' })];
  const answer = await post({ logout_token: token({ sid: 'one' }) });
  expect([answer.status, answer.headers.get('cache-control'), await answer.text()]).toEqual([200, 'no-store', '']);
  expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
  const events = await asOwner(
    `SELECT e.kind, s.revoked_reason FROM security_events e JOIN sessions s ON s.id = e.session_id
      WHERE e.user_id = $1 AND e.kind = 'session.ended_by_provider'`,
    [world.member.userId],
  );
  expect(events).toEqual([{ kind: 'session.ended_by_provider', revoked_reason: 'identity_provider' }]);
});

test('a logout token without a session id ends all sessions that the connection began for the person', async () => {
  const sessions = [await signedIn(world, { sid: 'a' }), await signedIn(world)];
  const admin = await signedIn(world, { sub: 'the-admin', email: world.admin.email });
  const elsewhere = await signedIn(other);
  expect(await end()).toBe(200);
  expect(await Promise.all([...sessions, admin, elsewhere].map(isSignedIn))).toEqual([false, false, true, true]);
  // The provider does not end sessions that the person began in another way.
  expect((await adminOf(world).get('/api/auth/me/')).status).toBe(200);
});

test('a logout token may name a session id without a subject', async () => {
  const client = await signedIn(world, { sid: 'alone' });
  expect([await end({ sid: 'alone', sub: undefined }), await isSignedIn(client)]).toEqual([200, false]);
});

test('a logout token whose subject is another person ends no session', async () => {
  const client = await signedIn(world, { sid: 'mine' });
  expect([await end({ sid: 'mine', sub: 'stranger' }), await isSignedIn(client)]).toEqual([200, true]);
});

test('a code that was not exchanged before the log-out is refused', async () => {
  const { email } = world.member;
  const { end: at, client } = await answered(world, { claims: { email, email_verified: true, sid: 'early' } });
  await end({ sid: 'early' });
  const { status } = await client.post('/api/auth/sso/exchange/', { code: at.searchParams.get('code') });
  expect(status).toBe(400);
});

test('a repeated logout token ends no later session', async () => {
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
  ['without a subject or session', () => token({ sub: undefined })],
  ['without an id', () => token({ jti: undefined })],
  ['without a time', () => token({ iat: undefined })],
  ['that has expired', () => token({ exp: now() - 90 })],
  ['that is an hour old', () => token({ iat: now() - 3600, exp: now() + 3600 })],
  ['from the future', () => token({ iat: now() + 3600, exp: now() + 7200 })],
  ['with another type in its header', () => token({}, { typ: 'at+jwt' })],
  ['by a key that is not published', () => other.forger.signed(claims(), { kid: 'own' })],
  ['by an unknown key', () => token({}, { kid: 'unknown' })],
  ['without a signature', () => `${token({}, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`],
  ['by a shared secret', () => token({}, { alg: 'HS256' })],
  ['that is malformed', () => 'x.y.z'],
  ['that is empty', () => ''],
];

describe('refused logout tokens', () => {
  let client: Client;
  beforeAll(async () => void (client = await signedIn(world, { sid: 'kept' })));

  test.each(REFUSED)('a logout token %s is refused', async (_name, made) => {
    const answer = await post({ logout_token: made() });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(((await answer.json()) as { code: string }).code).toBe('logout_token_refused');
    expect(await isSignedIn(client)).toBe(true);
  });

  test('a logout token at the address of another connection is refused', async () => {
    expect([(await post({ logout_token: token() }, other.slug)).status, await isSignedIn(client)]).toEqual([400, true]);
  });

  test('a logout token that is too long, no form or for an unknown connection is refused', async () => {
    expect((await post({ logout_token: 'x'.repeat(20_000) })).status).toBe(413);
    expect((await post('{}', world.slug, 'application/json')).status).toBe(415);
    expect((await post({ logout_token: token() }, 'nobody')).status).toBe(404);
  });
});

test("forged tokens make us request the provider's keys at most once a minute", async () => {
  world.forger.paths.length = 0;
  for (let n = 0; n < 20; n += 1) await post({ logout_token: token({}, { kid: `forged-${n}` }) });
  expect(world.forger.paths.filter((path) => path === '/jwks').length).toBeLessThanOrEqual(1);
});
