/** Tests passkeys as a protocol: right and wrong answers of a software authenticator over HTTP. */
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { Authenticator, type Deviation } from '../../support/authenticator.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aPlatformAdmin } from '../../support/world.js';
import { forgetAttempts, givePassword, sessionOf } from './accounts.support.js';
import { aHolder, beginSignIn, type Holder, ORIGIN, register, signInWith, someBytes } from './passkeys.support.js';

const { api, world, other } = apiWorld();
beforeEach(forgetAttempts);

const browser = () => new Client(api.url);
const native = () => new Client(api.url, { headers: { 'X-Client': 'native' } });
const eventsOf = async (userId: string): Promise<string[]> =>
  (
    await asOwner<{ kind: string }>(
      "SELECT kind FROM security_events WHERE user_id = $1 AND kind ~ '^(passkey|session)' ORDER BY id",
      [userId],
    )
  ).map(({ kind }) => kind);
const noticesOf = async (userId: string): Promise<string[]> =>
  (await asOwner<{ kind: string }>('SELECT kind FROM account_notices WHERE user_id = $1 ORDER BY id', [userId])).map(
    ({ kind }) => kind,
  );

describe('registering a passkey', () => {
  test('the server asks the browser for a discoverable credential without attestation', async () => {
    const { client, authenticator } = await aHolder(api.url, world);
    const { status, body } = await client.post('/api/auth/passkeys/register/begin/');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      rp: { id: 'localhost', name: 'Chapter Membership Platform' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
      timeout: 300_000,
      excludeCredentials: [{ id: authenticator.credentialId, type: 'public-key' }],
    });
    expect(Buffer.from(body.challenge, 'base64url')).toHaveLength(32);
  });

  test('a registered passkey is recorded in the logs and by mail, and its key is in no answer', async () => {
    const person = await aMember(world.organizationId, world.chapterId);
    const client = new Client(api.url, { token: person.token });
    const { status, body } = await register(client, new Authenticator(ORIGIN), { name: ' Laptop ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Laptop',
      is_synced: false,
      needs_reenrollment: false,
      created_at: expect.any(String),
      last_used_at: null,
    });
    expect(await eventsOf(person.userId)).toEqual(['passkey.added']);
    expect(await noticesOf(person.userId)).toEqual(['passkey_added']);
    const log = await asOwner(
      'SELECT 1 FROM audit_log WHERE action = $1 AND subject_id = $2 AND organization_id = $3',
      ['passkey.added', person.userId, world.organizationId],
    );
    expect(log).toHaveLength(1);
  });

  test.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another domain', { rpId: 'evil.example' }],
    ['an answer to a sign-in', { type: 'webauthn.get' }],
    ['an absent user', { absent: true }],
    [
      'an attestation by certificate',
      { attestation: { fmt: 'packed', attStmt: { alg: -7, sig: Buffer.alloc(8), x5c: [Buffer.alloc(8)] } } },
    ],
    ['an unknown attestation', { attestation: { fmt: 'android-safetynet', attStmt: {} } }],
  ])('%s is refused, and the challenge is used up', async (_name, deviation) => {
    const person = await aMember(world.organizationId, world.chapterId);
    const client = new Client(api.url, { token: person.token });
    const authenticator = new Authenticator(ORIGIN);
    const { body: options } = await client.post('/api/auth/passkeys/register/begin/');
    const complete = (wrong: Deviation) =>
      client.post('/api/auth/passkeys/register/complete/', { credential: authenticator.create(options, wrong) });
    const { status, body } = await complete(deviation);
    expect([status, body.code]).toEqual([400, 'passkey_not_accepted']);
    expect((await complete({})).body.code).toBe('passkey_challenge_invalid');
    expect((await client.get('/api/auth/passkeys/')).body.count).toBe(0);
  });

  test('a registration challenge is valid for its person and purpose, for one use and 5 minutes', async () => {
    const [one, two] = [await aHolder(api.url, world), await aHolder(api.url, world)];
    const complete = async ({ client }: Holder, options: { challenge: string }) => {
      const { status, body } = await client.post('/api/auth/passkeys/register/complete/', {
        credential: new Authenticator(ORIGIN).create({ rp: { id: 'localhost' }, ...options }),
      });
      return [status, body.code];
    };
    const begin = async ({ client }: Holder) => (await client.post('/api/auth/passkeys/register/begin/')).body;
    const refused = [400, 'passkey_challenge_invalid'];

    expect(await complete(two, await begin(one))).toEqual(refused);
    expect(await complete(one, await beginSignIn(browser()))).toEqual(refused);
    expect(await complete(one, { challenge: someBytes(32) })).toEqual(refused);
    const late = await begin(one);
    await asOwner("UPDATE webauthn_challenges SET expires_at = expires_at - interval '301 seconds'");
    expect(await complete(one, late)).toEqual(refused);
    const once = await begin(one);
    expect((await complete(one, once))[0]).toBe(201);
    expect(await complete(one, once)).toEqual(refused);
  });

  test('the same credential cannot be registered twice, not even by another person', async () => {
    const { authenticator } = await aHolder(api.url, world);
    const somebody = await aHolder(api.url, other);
    const { status, body } = await register(somebody.client, authenticator);
    expect([status, body.code]).toEqual([409, 'passkey_already_registered']);
  });

  test('a registration needs a recent proof by password or passkey', async () => {
    const { client, person, passkeyId } = await aHolder(api.url, world);
    const ask = async () => [
      await client.post('/api/auth/passkeys/register/begin/'),
      await client.post('/api/auth/passkeys/register/complete/', {}),
      await client.delete(`/api/auth/passkeys/${passkeyId}/`),
    ];
    const stale = "auth_time = now() - interval '16 minutes'";
    for (const state of [stale, "auth_time = now(), auth_method = 'saml', provider_answered_at = now()"]) {
      await asOwner(`UPDATE sessions SET ${state} WHERE user_id = $1`, [person.userId]);
      for (const { status, body } of await ask()) expect([status, body.code]).toEqual([403, 'step_up_required']);
    }
  });

  test('a person has at most 20 passkeys', async () => {
    const { client, person } = await aHolder(api.url, world);
    await asOwner(
      `INSERT INTO webauthn_credentials (user_id, credential_id, public_key, signature_counter, is_synced, name)
       SELECT $1, $2 || n, '\\x00', 0, false, 'One more' FROM generate_series(1, 18) n`,
      [person.userId, someBytes(16)],
    );
    const { body: options } = await client.post('/api/auth/passkeys/register/begin/');
    expect((await register(client, new Authenticator(ORIGIN))).status).toBe(201);
    const complete = await client.post('/api/auth/passkeys/register/complete/', {
      credential: new Authenticator(ORIGIN).create(options),
    });
    expect([complete.status, complete.body.code]).toEqual([409, 'too_many_passkeys']);
    expect((await client.post('/api/auth/passkeys/register/begin/')).body.code).toBe('too_many_passkeys');
  });
});

describe('signing in with a passkey', () => {
  test('a sign-in challenge names no person and accepts any passkey of this domain', async () => {
    const { status, body } = await browser().post('/api/auth/passkeys/authenticate/begin/');
    expect(status).toBe(200);
    expect(body).toEqual({
      challenge: expect.any(String),
      rpId: 'localhost',
      timeout: 300_000,
      userVerification: 'preferred',
    });
  });

  test('the server stores only the hash of the challenge', async () => {
    const { challenge } = await beginSignIn(browser());
    const stored = JSON.stringify(await asOwner('SELECT * FROM webauthn_challenges'));
    expect(stored).not.toContain(challenge);
  });

  test('the passkey identifies the person, and the session records the passkey as its method', async () => {
    const { person, authenticator } = await aHolder(api.url, world);
    const client = browser();
    const { status, body, headers } = await signInWith(client, authenticator);
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { id: person.userId }, organization: { id: world.organizationId } });
    expect(body.access_token).toBeUndefined();
    for (const cookie of headers.getSetCookie()) expect(cookie).toMatch(/; HttpOnly; SameSite=Lax/i);
    expect((await client.get('/api/auth/me/')).body.user.id).toBe(person.userId);
    const [session] = await asOwner<{ auth_method: string; recent: boolean }>(
      `SELECT auth_method, auth_time > now() - interval '1 minute' AS recent FROM sessions
        WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1`,
      [person.userId],
    );
    expect(session).toEqual({ auth_method: 'passkey', recent: true });
    expect(await eventsOf(person.userId)).toEqual(['passkey.added', 'session.started']);
  });

  test('native clients get the tokens in the body', async () => {
    const { authenticator } = await aHolder(api.url, world);
    const { body, headers } = await signInWith(native(), authenticator);
    expect(body).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
    expect(headers.getSetCookie()).toEqual([]);
  });

  test('a passkey sign-in chooses the requested organization as log-in does', async () => {
    const { authenticator } = await aHolder(api.url, world);
    const signInTo = (organization: string) => signInWith(browser(), authenticator, { organization });
    expect((await signInTo(world.slug.toUpperCase())).body.organization.id).toBe(world.organizationId);
    for (const organization of [other.slug, other.organizationId, 'nowhere']) {
      const { status, body } = await signInTo(organization);
      expect([status, body.code]).toEqual([403, 'organization_forbidden']);
    }
  });

  test('a platform admin signs in without an organization', async () => {
    const admin = await aPlatformAdmin();
    const authenticator = new Authenticator(ORIGIN);
    expect((await register(new Client(api.url, { token: admin.token }), authenticator)).status).toBe(201);
    const { body } = await signInWith(browser(), authenticator);
    expect(body).toMatchObject({ organization: null, user: { is_platform_admin: true } });
  });

  test('a person who must change the password can do nothing else', async () => {
    const { person, authenticator } = await aHolder(api.url, world);
    await givePassword(person.userId);
    await asOwner('UPDATE users SET must_change_password = true WHERE id = $1', [person.userId]);
    const client = browser();
    expect((await signInWith(client, authenticator)).body.user.must_change_password).toBe(true);
    for (const path of ['/api/auth/passkeys/', '/api/auth/sessions/'])
      expect((await client.get(path)).body.code).toBe('password_change_required');
    expect((await client.post('/api/auth/passkeys/register/begin/')).body.code).toBe('password_change_required');
  });

  const invalid = {
    status: 401,
    body: { code: 'passkey_invalid', detail: 'This passkey is not valid here. Sign in another way.' },
    cookies: [],
  };
  const refused = async (authenticator: Authenticator, deviation: Deviation = {}) => {
    const { status, body, headers } = await signInWith(browser(), authenticator, deviation);
    return { status, body, cookies: headers.getSetCookie() };
  };

  test.each<[string, (holders: [Holder, Holder]) => Deviation]>([
    ['another origin', () => ({ origin: 'https://evil.example' })],
    ['a page of another port', () => ({ origin: 'http://localhost:3001' })],
    ['another domain', () => ({ rpId: 'evil.example' })],
    ['an answer to a registration', () => ({ type: 'webauthn.create' })],
    ['a signature of another key', () => ({ forged: true })],
    ['a signature that is cut off', () => ({ cut: 1 })],
    ['an absent user', () => ({ absent: true })],
    ['the user handle of another person', ([, two]) => ({ userHandle: two.authenticator.userHandle })],
    ['an unknown user handle', () => ({ userHandle: someBytes(64) })],
    ['no user handle', () => ({ userHandle: null })],
  ])('%s is refused like an unknown passkey, and the challenge is used up', async (_name, deviationOf) => {
    const holders: [Holder, Holder] = [await aHolder(api.url, world), await aHolder(api.url, world)];
    const { authenticator } = holders[0];
    const unknown = new Authenticator(ORIGIN);
    unknown.userHandle = authenticator.userHandle;
    expect(await refused(unknown)).toEqual(invalid);
    const client = browser();
    const options = await beginSignIn(client);
    const complete = (deviation: Deviation) =>
      client.post('/api/auth/passkeys/authenticate/complete/', { credential: authenticator.get(options, deviation) });
    const { status, body } = await complete(deviationOf(holders));
    expect({ status, body }).toEqual({ status: invalid.status, body: invalid.body });
    expect((await complete({})).body.code).toBe('passkey_challenge_invalid');
    expect((await signInWith(browser(), authenticator)).status).toBe(200);
  });

  test('a challenge that was not issued, has another purpose or is too old is refused', async () => {
    const { authenticator, client } = await aHolder(api.url, world);
    const complete = async (options: { challenge: string }) => {
      const { status, body } = await browser().post('/api/auth/passkeys/authenticate/complete/', {
        credential: authenticator.get({ rpId: 'localhost', ...options }),
      });
      return [status, body.code];
    };
    const refusal = [400, 'passkey_challenge_invalid'];
    expect(await complete({ challenge: someBytes(32) })).toEqual(refusal);
    expect(await complete((await client.post('/api/auth/passkeys/register/begin/')).body)).toEqual(refusal);
    const late = await beginSignIn(browser());
    await asOwner("UPDATE webauthn_challenges SET expires_at = expires_at - interval '301 seconds'");
    expect(await complete(late)).toEqual(refusal);
  });

  test('unanswered challenges are purged', async () => {
    await beginSignIn(browser());
    await asOwner("UPDATE webauthn_challenges SET expires_at = now() - interval '1 second'");
    await beginSignIn(browser());
    const [remaining] = await asOwner('SELECT count(*)::int FROM webauthn_challenges');
    expect(remaining).toEqual({ count: 1 });
  });

  test('of two concurrent answers to one challenge one wins', async () => {
    const { authenticator, person } = await aHolder(api.url, world);
    const before = (await sessionOf(person.userId)).length;
    const credential = authenticator.get(await beginSignIn(browser()));
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => browser().post('/api/auth/passkeys/authenticate/complete/', { credential })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400]);
    expect((await sessionOf(person.userId)).length).toBe(before + 1);
  });

  test('disabled accounts and people without access are refused, and their logs give the reason', async () => {
    const [disabled, former, wrong] = [
      await aHolder(api.url, world),
      await aHolder(api.url, world),
      await aHolder(api.url, world),
    ];
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.person.userId]);
    await asOwner("UPDATE memberships SET status = 'inactive' WHERE user_id = $1", [former.person.userId]);
    expect(await refused(disabled.authenticator)).toEqual(invalid);
    expect(await refused(former.authenticator)).toEqual(invalid);
    expect(await refused(wrong.authenticator, { forged: true })).toEqual(invalid);
    const reasons = async ({ person }: Holder) =>
      (
        await asOwner<{ details: object }>(
          "SELECT details FROM security_events WHERE user_id = $1 AND kind = 'session.refused'",
          [person.userId],
        )
      ).map(({ details }) => details);
    expect(await reasons(disabled)).toEqual([{ method: 'passkey', reason: 'account_disabled' }]);
    expect(await reasons(former)).toEqual([{ method: 'passkey', reason: 'no_organization' }]);
    expect(await reasons(wrong)).toEqual([{ method: 'passkey', reason: 'wrong_passkey' }]);
  });

  test.each([
    ['no credential', {}, 'credential'],
    ['an unknown field', { credential: 'x', remember: true }, 'remember'],
    ['a credential of another type', { credential: { type: 'password' } }, 'credential.type'],
  ])('%s is a 400 that names the field', async (_name, body, field) => {
    const answer = await browser().post('/api/auth/passkeys/authenticate/complete/', body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.errors)).toContain(field);
  });

  test.each([['not base64 of JSON'], ['bnVsbA'], ['W10'], ['eyJjaGFsbGVuZ2UiOjd9']])(
    'client data %s is no valid challenge',
    async (clientDataJSON) => {
      const { authenticator } = await aHolder(api.url, world);
      const credential = authenticator.get(await beginSignIn(browser()));
      const { status } = await browser().post('/api/auth/passkeys/authenticate/complete/', {
        credential: { ...credential, response: { ...credential.response, clientDataJSON } },
      });
      expect(status).toBe(400);
    },
  );
});

describe('the signature counter', () => {
  test.each([
    ['0 after 0', 0, 0],
    ['the same again', 7, 7],
    ['a higher one', 7, 8],
    ['the highest', 7, 2 ** 32 - 1],
  ])('the counter (%s) is accepted', async (_name, stored, shown) => {
    const { authenticator, passkeyId } = await aHolder(api.url, world, stored);
    expect((await signInWith(browser(), authenticator, { counter: shown })).status).toBe(200);
    const [row] = await asOwner('SELECT signature_counter::text AS counter FROM webauthn_credentials WHERE id = $1', [
      passkeyId,
    ]);
    expect(row).toEqual({ counter: String(shown) });
  });

  test.each([
    ['one less', 7, 6],
    ['0', 7, 0],
  ])('the counter (%s) is refused, and the passkey is disabled', async (_name, stored, shown) => {
    const { authenticator, person, client } = await aHolder(api.url, world, stored);
    const before = (await sessionOf(person.userId)).length;
    for (const counter of [shown, stored, stored + 1]) {
      const { status, body, headers } = await signInWith(browser(), authenticator, { counter });
      expect([status, body.code, headers.getSetCookie()]).toEqual([401, 'passkey_needs_reenrollment', []]);
    }
    expect((await sessionOf(person.userId)).length).toBe(before);
    expect((await client.get('/api/auth/passkeys/')).body.results).toMatchObject([{ needs_reenrollment: true }]);
    expect(await eventsOf(person.userId)).toEqual(['passkey.added', 'passkey.suspected']);
    expect(await noticesOf(person.userId)).toEqual(['passkey_added', 'passkey_suspected']);
    const log = await asOwner("SELECT 1 FROM audit_log WHERE action = 'passkey.suspected' AND subject_id = $1", [
      person.userId,
    ]);
    expect(log).toHaveLength(1);
  });

  test('a forged signature with a low counter does not disable the passkey', async () => {
    const { authenticator } = await aHolder(api.url, world, 7);
    expect((await signInWith(browser(), authenticator, { counter: 1, forged: true })).body.code).toBe(
      'passkey_invalid',
    );
    expect((await signInWith(browser(), authenticator)).status).toBe(200);
  });

  test('a person can replace the disabled passkey by a new one', async () => {
    const { authenticator, client } = await aHolder(api.url, world, 7);
    await signInWith(browser(), authenticator, { counter: 1 });
    expect((await client.get('/api/auth/passkeys/enrollment/')).body).toMatchObject({ show: true, has_passkey: false });
    const { body: options } = await client.post('/api/auth/passkeys/register/begin/');
    expect(options.excludeCredentials).toEqual([]);
    const successor = new Authenticator(ORIGIN);
    expect((await register(client, successor)).status).toBe(201);
    expect((await client.get('/api/auth/passkeys/')).body.results).toMatchObject([{ needs_reenrollment: false }]);
    expect((await signInWith(browser(), authenticator)).body.code).toBe('passkey_invalid');
    expect((await signInWith(browser(), successor)).status).toBe(200);
  });

  test('concurrent uses never lower a counter', async () => {
    const { authenticator, passkeyId } = await aHolder(api.url, world, 1);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => signInWith(browser(), authenticator, { counter: 9 })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const [row] = await asOwner('SELECT signature_counter::int AS counter FROM webauthn_credentials WHERE id = $1', [
      passkeyId,
    ]);
    expect(row).toEqual({ counter: 9 });
  });
});
