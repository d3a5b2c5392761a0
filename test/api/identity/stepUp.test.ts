import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person } from '../../support/world.js';
import { aNativeClient, forgetAttempts, givePassword, PASSWORD } from './accounts.support.js';

let person: Person;
let client: Client;

const { api, world } = apiWorld();
beforeEach(async () => {
  await forgetAttempts();
  person = await aMember(world.organizationId, world.chapterId);
  await givePassword(person.userId);
  ({ client } = await aNativeClient(api.url, person.email));
  await asOwner("UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1", [person.userId]);
});

const prove = (body: object, by = client) => by.post('/api/auth/step-up/', body);
/** Requests a deletion, which needs a recent proof, and cancels it. */
const sensitive = async () => {
  const { status, body } = await client.post('/api/auth/me/deletion/');
  if (status === 202) await client.delete('/api/auth/me/deletion/');
  return body.code ?? status;
};
const events = () =>
  asOwner<{ kind: string; details: object }>(
    "SELECT kind, details FROM security_events WHERE user_id = $1 AND kind LIKE 'step_up%' ORDER BY id",
    [person.userId],
  );

test('a password renews an old proof for this session only, and both logs record it', async () => {
  const { client: second } = await aNativeClient(api.url, person.email);
  await asOwner("UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1", [person.userId]);
  expect(await sensitive()).toBe('step_up_required');

  const { status, body } = await prove({ password: PASSWORD });
  expect(status).toBe(200);
  expect(body).toEqual({ auth_method: 'password', auth_time: expect.any(String) });
  expect(Date.now() - Date.parse(body.auth_time)).toBeLessThan(60_000);
  expect(await sensitive()).toBe(202);
  expect((await second.post('/api/auth/me/deletion/')).body.code).toBe('step_up_required');

  expect(await events()).toEqual([{ kind: 'step_up.passed', details: { method: 'password' } }]);
  const logged = await asOwner('SELECT action FROM audit_log WHERE subject_id = $1 AND action = $2', [
    person.userId,
    'step_up.passed',
  ]);
  expect(logged).toHaveLength(1);
});

test('a proof is recent for 15 minutes', async () => {
  await asOwner("UPDATE sessions SET auth_time = now() - interval '14 minutes' WHERE user_id = $1", [person.userId]);
  expect(await sensitive()).toBe(202);
  await asOwner("UPDATE sessions SET auth_time = now() - interval '15 minutes 1 second' WHERE user_id = $1", [
    person.userId,
  ]);
  expect(await sensitive()).toBe('step_up_required');
});

test('a session of an identity provider needs a password or passkey for the account, even after a recent sign-in', async () => {
  await asOwner(
    "UPDATE sessions SET auth_time = now(), auth_method = 'saml', provider_answered_at = now(), confined = true WHERE user_id = $1",
    [person.userId],
  );
  expect(await sensitive()).toBe('step_up_required');
  await prove({ password: PASSWORD });
  expect(await sensitive()).toBe(202);
  const [session] = await asOwner<{ confined: boolean; auth_method: string }>(
    'SELECT confined, auth_method FROM sessions WHERE user_id = $1 ORDER BY auth_time DESC LIMIT 1',
    [person.userId],
  );
  expect(session).toEqual({ confined: true, auth_method: 'password' });
});

test('a wrong password proves nothing, is recorded and uses the budget of log-in', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => prove({ password: 'wrong' })));
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
  expect(answers.find(({ status }) => status === 400)?.body.errors).toEqual({ password: [expect.any(String)] });
  expect((await prove({ password: PASSWORD })).body.code).toBe('too_many_failures');
  expect(await sensitive()).toBe('step_up_required');
  expect((await events()).every(({ kind }) => kind === 'step_up.refused')).toBe(true);
  expect(await events()).toHaveLength(10);
});

test('a person without a password cannot prove one', async () => {
  await asOwner('UPDATE users SET password_hash = NULL WHERE id = $1', [person.userId]);
  for (const password of ['', PASSWORD]) expect((await prove({ password })).status).toBe(400);
});

test('a response that is no passkey is refused, and its challenge is used up', async () => {
  const { body: options } = await client.post('/api/auth/passkeys/authenticate/begin/');
  const clientDataJSON = Buffer.from(
    JSON.stringify({ type: 'webauthn.get', challenge: options.challenge, origin: 'http://localhost:3000' }),
  ).toString('base64url');
  const passkey = {
    id: 'aGVsbG8',
    rawId: 'aGVsbG8',
    type: 'public-key',
    response: { clientDataJSON, authenticatorData: 'aGVsbG8', signature: 'aGVsbG8', userHandle: 'aGVsbG8' },
  };
  expect((await prove({ passkey })).body.code).toBe('passkey_invalid');
  expect((await prove({ passkey })).body.code).toBe('passkey_challenge_invalid');
  expect(await sensitive()).toBe('step_up_required');
});

test('a step-up with neither proof, both or unknown fields is a 400 that names the field, and without a session a 401', async () => {
  expect((await prove({})).body.errors).toEqual({ password: ['Send either a password or a passkey.'] });
  expect((await prove({ pin: '1234' })).status).toBe(400);
  expect((await prove({ password: 7 })).body.errors).toHaveProperty('password');
  expect((await prove({ password: PASSWORD }, new Client(api.url))).status).toBe(401);
});
