import { config } from '../../../../config.js';
import { once } from 'node:events';
import { connect } from 'node:net';
import { aMailbox } from '../../../support/accountMail.js';
import { Client } from '../../../support/api.js';
import { apiWorld } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import { eventually } from '../../../support/platform.js';
import { aMember, aPlatformAdmin, aUser, type Person } from '../../../support/world.js';
import { aNativeClient, forgetAttempts, givePassword, logIn, PASSWORD } from '../../identity/accounts.support.js';

const NEW = 'walnut-comet-drizzle-19';

let person: Person;
let admin: Client;

const mailbox = aMailbox();
const { api, world, other } = apiWorld();
beforeAll(async () => {
  admin = as(world.admin);
});
beforeEach(forgetAttempts);
beforeEach(async () => {
  mailbox.catcher.mails.clear();
  person = await aMember(world.organizationId, world.chapterId);
  await givePassword(person.userId);
});

const as = ({ token }: { token: string }, headers = {}) => new Client(api.url, { token, headers });
const address = (userId: string, action: string, organization = world.organizationId) =>
  `/api/organizations/${organization}/users/${userId}/${action}/`;
const mailReset = (userId = person.userId, client = admin) => client.post(address(userId, 'password-reset'));
const setTemporary = (userId = person.userId, client = admin) => client.post(address(userId, 'temporary-password'));
const both = async (userId: string, client = admin) =>
  [await mailReset(userId, client), await setTemporary(userId, client)].map(({ status, body }) => [status, body?.code]);
const hashOf = async (userId: string) =>
  (await asOwner('SELECT password_hash FROM users WHERE id = $1', [userId]))[0]?.['password_hash'];

describe('a reset mailed by an admin', () => {
  test('a reset is mailed to the member and ends their sessions when it is requested', async () => {
    const { client, refreshToken } = await aNativeClient(api.url, person.email);
    expect((await mailReset()).status).toBe(204);
    expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
    const refreshed = await new Client(api.url).post('/api/auth/token/refresh/', { refresh_token: refreshToken });
    expect(refreshed.status).toBe(401);
    expect((await logIn(new Client(api.url), { email: person.email })).status).toBe(200);
    const token = await mailbox.tokenFor(person.email);
    expect((await mailbox.to(person.email)).at(-1)?.text).toContain('Administrator: First Last');
    const done = await new Client(api.url).post('/api/auth/password/reset/confirm/', { token, new_password: NEW });
    expect(done.status).toBe(204);
    expect((await logIn(new Client(api.url), { email: person.email, password: NEW })).status).toBe(200);
  });

  test("a reset ends the member's sessions in all organizations, because one could switch back", async () => {
    await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
      other.organizationId,
      person.userId,
      other.chapterId,
    ]);
    const { client } = await aNativeClient(api.url, person.email);
    const moved = await client.post('/api/auth/switch-organization/', { organization: other.slug });
    expect((await mailReset()).status).toBe(204);
    expect((await as({ token: moved.body.access_token }).get('/api/auth/me/')).body.code).toBe('session_ended');
  });

  test('a refused reset ends no session', async () => {
    const { client } = await aNativeClient(api.url, person.email);
    expect((await mailReset(person.userId, as(other.admin))).status).toBe(404);
    expect((await client.get('/api/auth/me/')).status).toBe(200);
  });

  test("a reset is recorded in the member's log and in the audit log with the admin", async () => {
    await mailReset();
    const events = await asOwner('SELECT kind FROM security_events WHERE user_id = $1', [person.userId]);
    expect(events).toEqual([{ kind: 'password.reset_mailed' }]);
    const audited = await asOwner('SELECT action, actor_user_id FROM audit_log WHERE subject_id = $1', [person.userId]);
    expect(audited).toEqual([{ action: 'password.reset_mailed', actor_user_id: world.admin.userId }]);
  });
});

describe('a temporary password', () => {
  test('a temporary password is shown once, ends all sessions, and allows only its own change', async () => {
    const { client, refreshToken } = await aNativeClient(api.url, person.email);
    const { status, body } = await setTemporary();
    expect(status).toBe(200);
    expect(body.temporary_password).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
    const refreshed = await new Client(api.url).post('/api/auth/token/refresh/', { refresh_token: refreshToken });
    expect(refreshed.body.code).toBe('session_ended');
    expect((await logIn(new Client(api.url), { email: person.email })).status).toBe(401);

    const native = new Client(api.url, { headers: { 'X-Client': 'native' } });
    const signedIn = await logIn(native, { email: person.email, password: body.temporary_password });
    expect(signedIn.body.user.must_change_password).toBe(true);
    native.token = signedIn.body.access_token;
    expect((await native.get('/api/auth/emails/')).body.code).toBe('password_change_required');
    const change = { current_password: body.temporary_password, new_password: NEW };
    native.token = (await native.post('/api/auth/password/change/', change)).body.access_token;
    expect((await native.get('/api/auth/emails/')).status).toBe(200);
  });

  describe('the end of a temporary password', () => {
    const HOUR = 3_600_000;
    const end = () =>
      asOwner(`UPDATE users SET password_ends_at = now() - interval '1 second' WHERE id = $1`, [person.userId]);
    const expired = { status: 401, body: { code: 'temporary_password_expired' } };
    const signIn = (password: string) => {
      const client = new Client(api.url, { headers: { 'X-Client': 'native' } });
      return logIn(client, { email: person.email, password });
    };

    test('a temporary password ends when its answer and its mail say', async () => {
      const before = Date.now();
      const { expires_at } = (await setTemporary()).body;
      expect(Math.round((Date.parse(expires_at) - before) / HOUR)).toBe(config.TEMPORARY_PASSWORD_HOURS);
      expect((await mailbox.to(person.email)).at(-1)?.text).toContain(`Until: ${expires_at}`);
    });

    test('the expiry of a temporary password is shown only after the right password', async () => {
      const { temporary_password: password } = (await setTemporary()).body;
      await end();
      expect(await signIn(password)).toMatchObject(expired);
      expect((await signIn(PASSWORD)).body.code).toBe('invalid_credentials');
      const refused = await asOwner<{ reason: string }>(
        `SELECT details->>'reason' AS reason FROM security_events WHERE user_id = $1 AND kind = 'session.refused' ORDER BY id`,
        [person.userId],
      );
      expect(refused.map(({ reason }) => reason)).toEqual(['temporary_password_expired', 'wrong_password']);
      await asOwner(`UPDATE memberships SET status = 'inactive' WHERE user_id = $1`, [person.userId]);
      expect((await signIn(password)).body.code).toBe('invalid_credentials');
    });

    test('an expired temporary password also fails for a change and a step-up, until the person has another way', async () => {
      const { temporary_password: password } = (await setTemporary()).body;
      const client = new Client(api.url, { token: (await signIn(password)).body.access_token });
      await end();
      const change = (current_password: string) =>
        client.post('/api/auth/password/change/', { current_password, new_password: NEW });
      expect(await change(password)).toMatchObject(expired);
      expect((await change(PASSWORD)).body.errors).toHaveProperty('current_password');
      expect(await client.post('/api/auth/step-up/', { password })).toMatchObject(expired);

      const { temporary_password: second } = (await setTemporary()).body;
      expect((await signIn(second)).status).toBe(200);
      await end();
      await new Client(api.url).post('/api/auth/password/reset/', { email: person.email });
      const token = await mailbox.tokenFor(person.email);
      await new Client(api.url).post('/api/auth/password/reset/confirm/', { token, new_password: NEW });
      expect((await signIn(NEW)).status).toBe(200);
    });
  });

  test('a temporary password is mailed without its text, logged twice, and stored nowhere in plain text', async () => {
    const { temporary_password: password } = (await setTemporary()).body;
    const [mail] = await mailbox.to(person.email);
    expect(mail?.subject).toBe('An administrator set a temporary password');
    expect(mail?.text).not.toContain(password);
    const audited = await asOwner('SELECT action, actor_user_id FROM audit_log WHERE subject_id = $1', [person.userId]);
    expect(audited).toEqual([{ action: 'password.temporary_set', actor_user_id: world.admin.userId }]);
    const events = await asOwner('SELECT kind FROM security_events WHERE user_id = $1', [person.userId]);
    expect(events).toEqual([{ kind: 'password.temporary_set' }]);
    for (const table of ['users', 'account_notices', 'audit_log', 'audit_values', 'security_events', 'outbox'])
      expect(JSON.stringify(await asOwner(`SELECT * FROM ${table}`))).not.toContain(password);
  });

  test('a temporary password invalidates a reset mailed before', async () => {
    await mailReset();
    const token = await mailbox.tokenFor(person.email);
    await setTemporary();
    const late = await new Client(api.url).post('/api/auth/password/reset/confirm/', { token, new_password: NEW });
    expect(late.body.code).toBe('reset_token_invalid');
  });

  test('an admin cannot set a temporary password for themselves', async () => {
    expect(await setTemporary(world.admin.userId)).toMatchObject({ status: 403, body: { code: 'account_own' } });
  });
});

describe('a person of another organization too gets a reset mail and no temporary password', () => {
  const elsewhere: [string, (userId: string) => Promise<unknown>][] = [
    [
      'a member there',
      (userId) =>
        asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
          other.organizationId,
          userId,
          other.chapterId,
        ]),
    ],
    [
      'a prospective member there, who may not sign in yet',
      (userId) =>
        asOwner(`INSERT INTO memberships (organization_id, user_id, chapter_id, status) VALUES ($1, $2, $3, 'pnm')`, [
          other.organizationId,
          userId,
          other.chapterId,
        ]),
    ],
    [
      'an admin there',
      (userId) =>
        asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
          other.organizationId,
          userId,
        ]),
    ],
    [
      'an inactive regional admin there',
      (userId) =>
        asOwner(
          `INSERT INTO regional_admins (organization_id, region_id, user_id, role, is_active) VALUES ($1, $2, $3, 'advisor', false)`,
          [other.organizationId, other.regionId, userId],
        ),
    ],
  ];

  test.each(elsewhere)('%s gets a reset mail and no temporary password', async (_name, join) => {
    await join(person.userId);
    const before = await hashOf(person.userId);
    expect(await both(person.userId)).toEqual([
      [204, undefined],
      [403, 'account_elsewhere'],
    ]);
    expect(await hashOf(person.userId)).toBe(before);
    expect((await logIn(new Client(api.url), { email: person.email, password: PASSWORD })).status).toBe(200);
  });

  test('a platform admin can set a temporary password for a person of two organizations', async () => {
    await elsewhere[0]?.[1](person.userId);
    const platform = as(await aPlatformAdmin(), { 'X-Organization-Id': world.organizationId });
    expect((await setTemporary(person.userId, platform)).status).toBe(200);
  });
});

describe('the hourly limit of resets per member', () => {
  const hits = async () =>
    (await asOwner("SELECT hits FROM throttles WHERE scope = 'admin_password_reset_target'"))[0]?.['hits'];

  test('a member is reset ten times an hour, of both kinds, by all admins together', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? mailReset() : setTemporary())));
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(10);
    const [refused] = answers.filter(({ status }) => status === 429);
    expect(refused).toMatchObject({ body: { code: 'throttled', detail: expect.stringMatching(/in 60 minutes/) } });
    expect(refused?.headers.get('retry-after')).toMatch(/^3(600|5\d\d)$/);
    await asOwner("UPDATE throttles SET resets_at = now() - interval '1 second'");
    expect((await mailReset()).status).toBe(204);
  });

  test('refused callers do not use up the limit', async () => {
    const strangers = [other.member, other.admin, world.member].map((stranger) => as(stranger));
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => setTemporary(person.userId, strangers[n % 3])),
    );
    expect(answers.filter(({ status }) => status !== 403 && status !== 404)).toEqual([]);
    expect(await hits()).toBeUndefined();
    expect((await mailReset()).status).toBe(204);
    expect(await hits()).toBe(1);
  });

  test('requests whose caller disconnects count too', async () => {
    const { hostname, port } = new URL(api.url);
    const request =
      `POST ${address(person.userId, 'password-reset')} HTTP/1.1\r\nHost: ${hostname}\r\n` +
      `Authorization: Bearer ${world.admin.token}\r\nContent-Length: 0\r\n\r\n`;
    for (let n = 0; n < 12; n += 1) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.end(request);
      await once(socket.resume(), 'close');
    }
    // The requests continue after the socket is closed.
    const mailed = () =>
      asOwner("SELECT id FROM security_events WHERE user_id = $1 AND kind = 'password.reset_mailed'", [person.userId]);
    await eventually(mailed, (done) => done.length === 10);
    expect((await mailReset()).status).toBe(429);
    expect(await mailed()).toHaveLength(10);
  });

  test('an address of an unknown person is a 404', async () => {
    expect((await admin.post(address('%00', 'password-reset'))).status).toBe(404);
  });
});

describe('people whose password admins cannot reset', () => {
  test("an admin cannot reset a platform admin's password, and neither can another platform admin", async () => {
    await asOwner('UPDATE users SET is_platform_admin = true WHERE id = $1', [person.userId]);
    const refused = [
      [403, 'account_protected'],
      [403, 'account_protected'],
    ];
    expect(await both(person.userId)).toEqual(refused);
    const platform = as(await aPlatformAdmin(), { 'X-Organization-Id': world.organizationId });
    expect(await both(person.userId, platform)).toEqual(refused);
  });

  test('an admin cannot reset a member of another organization or an unknown person', async () => {
    const missing = [
      [404, 'not_found'],
      [404, 'not_found'],
    ];
    for (const userId of [other.member.userId, await aUser(), 'ffffffff-ffff-4fff-bfff-ffffffffffff'])
      expect(await both(userId)).toEqual(missing);
    const there = await admin.post(address(other.member.userId, 'password-reset', other.organizationId));
    expect(there.status).toBe(404);
  });

  test('an admin cannot reset a disabled account', async () => {
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [person.userId]);
    expect(await both(person.userId)).toEqual([
      [409, 'account_disabled'],
      [409, 'account_disabled'],
    ]);
  });
});

test("both kinds of reset are for the organization's admins with a recent sign-in", async () => {
  expect(await both(person.userId, new Client(api.url))).toEqual([
    [401, 'not_authenticated'],
    [401, 'not_authenticated'],
  ]);
  for (const { token } of [world.officer, world.regionalAdmin, world.member])
    expect(await both(person.userId, as({ token }))).toEqual([
      [403, 'forbidden'],
      [403, 'forbidden'],
    ]);
  const id = world.admin.userId;
  await asOwner(`UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1`, [id]);
  expect(await both(person.userId)).toEqual([
    [403, 'step_up_required'],
    [403, 'step_up_required'],
  ]);
  await asOwner(
    `UPDATE sessions SET auth_time = now(), auth_method = 'saml', provider_answered_at = now() WHERE user_id = $1`,
    [id],
  );
  expect((await mailReset()).status).toBe(204);
});

test('one member is reset ten times an hour at most by any admins', async () => {
  for (let n = 0; n < 10; n += 1) expect((await mailReset()).status).toBe(204);
  expect((await setTemporary()).status).toBe(429);
  expect((await mailReset(world.member.userId)).status).toBe(204);
});
