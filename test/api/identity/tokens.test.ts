import { signToken, verifyToken } from '../../../models/identity/tokens.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person } from '../../support/world.js';
import { aBrowser, aNativeClient, forgetAttempts, givePassword, sessionOf } from './accounts.support.js';

let person: Person;

const { api, world } = apiWorld();
beforeEach(forgetAttempts);
beforeEach(async () => {
  person = await aMember(world.organizationId, world.chapterId);
  await givePassword(person.userId);
});

const refresh = (token: string) => new Client(api.url).post('/api/auth/token/refresh/', { refresh_token: token });

test('a browser gets new cookies and nothing in the body, even if it claims to be native', async () => {
  const browser = await aBrowser(api.url, person.email);
  const before = browser.cookie('refresh_token');
  const { status, body } = await browser.post('/api/auth/token/refresh/', undefined, { 'X-Client': 'native' });
  expect(status).toBe(200);
  expect(body).toEqual({});
  expect(browser.cookie('refresh_token')).not.toBe(before);
  expect((await browser.get('/api/auth/me/')).status).toBe(200);
});

test('a native client sends its token in the body and gets the next ones there', async () => {
  const { client, refreshToken } = await aNativeClient(api.url, person.email);
  const { body, headers } = await refresh(refreshToken);
  expect(headers.getSetCookie()).toEqual([]);
  expect(body.expires_in).toBe(1800);
  client.token = body.access_token;
  expect((await client.get('/api/auth/me/')).status).toBe(200);
  expect((await refresh(body.refresh_token)).status).toBe(200);
});

test('reuse of a refresh token ends its session, including later tokens', async () => {
  const { refreshToken } = await aNativeClient(api.url, person.email);
  const next = (await refresh(refreshToken)).body;
  const again = await refresh(refreshToken);
  expect([again.status, again.body.code]).toEqual([401, 'refresh_token_reused']);
  expect((await refresh(next.refresh_token)).body.code).toBe('session_ended');
  expect((await new Client(api.url, { token: next.access_token }).get('/api/auth/me/')).body.code).toBe(
    'session_ended',
  );
  expect((await sessionOf(person.userId))[0]?.revoked_reason).toBe('refresh_token_reused');
  const events = await asOwner(
    "SELECT session_id, ip_address FROM security_events WHERE user_id = $1 AND kind = 'session.token_reused'",
    [person.userId],
  );
  expect(events).toEqual([{ session_id: (await sessionOf(person.userId))[0]?.id, ip_address: '127.0.0.1' }]);
});

test('of ten concurrent refreshes exactly one wins', async () => {
  const { refreshToken } = await aNativeClient(api.url, person.email);
  const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refreshToken)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
  const live = await asOwner(
    'SELECT 1 FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE s.user_id = $1 AND t.used_at IS NULL',
    [person.userId],
  );
  expect(live).toHaveLength(1);
});

test("reuse of a refresh token leaves the person's other sessions alone", async () => {
  const [first, second] = [await aNativeClient(api.url, person.email), await aNativeClient(api.url, person.email)];
  await refresh(first.refreshToken);
  await refresh(first.refreshToken);
  expect((await refresh(second.refreshToken)).status).toBe(200);
});

test('a session expires with its newest refresh token and was last seen at that refresh', async () => {
  const { refreshToken } = await aNativeClient(api.url, person.email);
  await asOwner(
    `UPDATE sessions SET expires_at = now() + interval '1 minute', last_seen_at = now() - interval '1 day' WHERE user_id = $1`,
    [person.userId],
  );
  await refresh(refreshToken);
  const [session] = await asOwner<{ hours: number; seconds: number }>(
    `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours, extract(epoch FROM now() - last_seen_at)::int AS seconds
       FROM sessions WHERE user_id = $1 ORDER BY last_seen_at DESC LIMIT 1`,
    [person.userId],
  );
  expect(session?.hours).toBe(24);
  expect(session?.seconds).toBeLessThan(10);
});

describe('refused refreshes', () => {
  const codeOf = async (token: string) => {
    const { status, body } = await refresh(token);
    expect(status).toBe(401);
    return body.code as string;
  };

  test('a refresh without a token is refused', async () => {
    expect((await new Client(api.url).post('/api/auth/token/refresh/')).body.code).toBe('not_authenticated');
  });

  test('a refresh with an access token, a restore token or a malformed token is refused', async () => {
    const { client, refreshToken } = await aNativeClient(api.url, person.email);
    expect(await codeOf(client.token as string)).toBe('refresh_token_invalid');
    const claims = verifyToken(refreshToken, 'refresh');
    if (!claims) throw new Error('The refresh token does not verify.');
    const { sub, sid, org, jti } = claims;
    expect(await codeOf(signToken({ typ: 'restore', sub, sid, org, jti }, 60))).toBe('refresh_token_invalid');
    expect(await codeOf(signToken({ typ: 'refresh', sub, sid, org }, 60))).toBe('refresh_token_invalid');
    expect(await codeOf('nonsense')).toBe('refresh_token_invalid');
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  test('a refresh with a token that has expired, by itself or in the database, is refused', async () => {
    const { refreshToken } = await aNativeClient(api.url, person.email);
    await asOwner('UPDATE refresh_tokens SET expires_at = now() WHERE used_at IS NULL');
    expect(await codeOf(refreshToken)).toBe('refresh_token_invalid');
  });

  test('a refresh is refused after log-out, for disabled people and for people without access', async () => {
    const [out, disabled, moved] = [
      await aNativeClient(api.url, person.email),
      await aNativeClient(api.url, person.email),
      await aNativeClient(api.url, person.email),
    ];
    await out.client.post('/api/auth/logout/');
    expect(await codeOf(out.refreshToken)).toBe('session_ended');

    await asOwner("UPDATE memberships SET status = 'inactive' WHERE user_id = $1", [person.userId]);
    expect(await codeOf(moved.refreshToken)).toBe('membership_ended');

    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [person.userId]);
    expect(await codeOf(disabled.refreshToken)).toBe('session_ended');
  });

  test('a refresh with an undocumented body is refused', async () => {
    const { status, body } = await new Client(api.url).post('/api/auth/token/refresh/', { refresh_token: 7 });
    expect([status, Object.keys(body.errors)]).toEqual([400, ['refresh_token']]);
  });
});
