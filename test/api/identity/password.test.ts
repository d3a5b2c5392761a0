import { AUDIT_LOG } from '../../support/auditLog.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person } from '../../support/world.js';
import { aBrowser, aNativeClient, forgetAttempts, givePassword, logIn, PASSWORD } from './accounts.support.js';

const NEW = 'walnut-comet-drizzle-19';

let person: Person;

const { api, world } = apiWorld();
beforeEach(forgetAttempts);
beforeEach(async () => {
  person = await aMember(world.organizationId, world.chapterId);
  await givePassword(person.userId);
});

const change = (client: Client, new_password = NEW, current_password = PASSWORD) =>
  client.post('/api/auth/password/change/', { current_password, new_password });

test("a password change ends all other sessions and replaces this one's tokens", async () => {
  const [mine, other] = [await aNativeClient(api.url, person.email), await aNativeClient(api.url, person.email)];
  const { status, body } = await change(mine.client);
  expect(status).toBe(200);
  expect(body).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
  mine.client.token = body.access_token;
  expect((await mine.client.get('/api/auth/me/')).status).toBe(200);
  expect((await other.client.get('/api/auth/me/')).body.code).toBe('session_ended');
  const refresh = (refresh_token: string) => new Client(api.url).post('/api/auth/token/refresh/', { refresh_token });
  expect((await refresh(other.refreshToken)).body.code).toBe('session_ended');
  expect((await refresh(body.refresh_token)).status).toBe(200);
  expect((await refresh(mine.refreshToken)).body.code).toBe('refresh_token_reused');

  expect((await logIn(new Client(api.url), { email: person.email })).status).toBe(401);
  expect((await logIn(new Client(api.url), { email: person.email, password: NEW })).status).toBe(200);
});

test('a password change gives a browser new cookies and writes an audit entry without secrets', async () => {
  const browser = await aBrowser(api.url, person.email);
  expect((await change(browser)).body).toEqual({});
  expect((await browser.post('/api/auth/token/refresh/')).status).toBe(200);
  const logged = await asOwner(
    `SELECT action, actor_user_id, before, after FROM ${AUDIT_LOG} WHERE subject_id = $1 AND action <> 'session.started'`,
    [person.userId],
  );
  expect(logged).toEqual([{ action: 'password.changed', actor_user_id: person.userId, before: null, after: null }]);
});

test('a password change is reported to its person by mail and in their own log', async () => {
  const { client } = await aNativeClient(api.url, person.email);
  await change(client);
  const notices = await asOwner("SELECT email FROM account_notices WHERE user_id = $1 AND kind = 'password_changed'", [
    person.userId,
  ]);
  expect(notices).toEqual([{ email: person.email }]);
  const events = await asOwner("SELECT 1 FROM security_events WHERE user_id = $1 AND kind = 'password.changed'", [
    person.userId,
  ]);
  expect(events).toHaveLength(1);
});

test('a person who must change the password is refused elsewhere until it is changed', async () => {
  await asOwner('UPDATE users SET must_change_password = true WHERE id = $1', [person.userId]);
  const { client } = await aNativeClient(api.url, person.email);
  expect((await client.get('/api/auth/me/')).body.user.must_change_password).toBe(true);
  const refused = await client.get('/api/auth/sessions/');
  expect([refused.status, refused.body.code]).toEqual([403, 'password_change_required']);

  client.token = (await change(client)).body.access_token;
  expect((await client.get('/api/auth/sessions/')).status).toBe(200);
});

test.each([
  ['too short', 'k7#Qz!vW9', /at least 10/],
  ['too long', 'k7#Qz!vW9'.repeat(15), /at most 128/],
  ['easy to guess', 'password1234', /too easy/],
  ['repeated', 'abcabcabcabcabcabc', /too easy/],
  ['the current one', PASSWORD, /differ/],
])('a new password that is %s is refused', async (_name, password, message) => {
  const { status, body } = await change(new Client(api.url, { token: person.token }), password);
  expect(status).toBe(400);
  expect(Object.keys(body.errors)).toEqual(['new_password']);
  expect(body.errors.new_password[0]).toMatch(message);
});

test('a new password made of the person’s own name and address is refused', async () => {
  await asOwner("UPDATE users SET first_name = 'Wilhelmina', last_name = 'Oberhauser' WHERE id = $1", [person.userId]);
  const client = new Client(api.url, { token: person.token });
  expect((await change(client, 'Wilhelmina1')).status).toBe(400);
  expect((await change(client, person.email)).status).toBe(400);
});

test('a wrong current password is refused and counts as a failure', async () => {
  const client = new Client(api.url, { token: person.token });
  const wrong = await change(client, NEW, 'not it');
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['current_password']]);
  for (let n = 1; n < 10; n += 1) await change(client, NEW, 'not it');
  const { status, headers } = await change(client);
  expect(status).toBe(429);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await logIn(new Client(api.url), { email: person.email })).status).toBe(429);
});

test('a person without a password cannot change it', async () => {
  const passwordless = await aMember(world.organizationId, world.chapterId);
  const { status, body } = await change(new Client(api.url, { token: passwordless.token }), NEW, '');
  expect([status, Object.keys(body.errors)]).toEqual([400, ['current_password']]);
});

test('of two concurrent changes one wins', async () => {
  const clients = [await aNativeClient(api.url, person.email), await aNativeClient(api.url, person.email)];
  const answers = await Promise.all([
    change((clients[0] as { client: Client }).client, NEW),
    change((clients[1] as { client: Client }).client, `${NEW}-too`),
  ]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const [loser] = answers.filter(({ status }) => status !== 200);
  expect([400, 401, 409]).toContain(loser?.status);
});

test('a password change requires a session and both passwords', async () => {
  expect((await change(new Client(api.url))).status).toBe(401);
  const { body } = await new Client(api.url, { token: person.token }).post('/api/auth/password/change/', {});
  expect(Object.keys(body.errors)).toEqual(['current_password', 'new_password']);
});
