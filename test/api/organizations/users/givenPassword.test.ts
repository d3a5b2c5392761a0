/** Tests that a temporary password set by one organization's admin gives no access to another organization. */
import { randomUUID } from 'node:crypto';
import { inPlatform } from '../../../../models/database/tenancy.js';
import { storePasskey } from '../../../../models/identity/passkeys/completeRegistration.js';
import { aMailbox } from '../../../support/accountMail.js';
import { Client } from '../../../support/api.js';
import { apiWorld } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import { aMember, aPlatformAdmin, type Person } from '../../../support/world.js';
import {
  aNativeClient,
  forgetAttempts,
  givePassword,
  logIn,
  PASSWORD,
  sessionOf,
} from '../../identity/accounts.support.js';

const NEW = 'walnut-comet-drizzle-19';

let person: Person;

const mailbox = aMailbox();
const { api, world, other } = apiWorld();
beforeEach(forgetAttempts);
beforeEach(async () => {
  mailbox.catcher.mails.clear();
  person = await aMember(world.organizationId, world.chapterId);
});

const admin = (headers = {}, { token }: { token: string } = world.admin) => new Client(api.url, { token, headers });
const setTemporary = (client = admin()) =>
  client.post(`/api/organizations/${world.organizationId}/users/${person.userId}/temporary-password/`);
const native = () => new Client(api.url, { headers: { 'X-Client': 'native' } });

/** Signs in as the admin with the temporary password and replaces it. */
async function takeOver(): Promise<Client> {
  const { temporary_password: given } = (await setTemporary()).body;
  const client = native();
  client.token = (await logIn(client, { email: person.email, password: given })).body.access_token;
  const change = { current_password: given, new_password: NEW };
  client.token = (await client.post('/api/auth/password/change/', change)).body.access_token;
  return client;
}

const aPasskey = (name = 'Key') =>
  asOwner(
    `INSERT INTO webauthn_credentials (user_id, credential_id, public_key, signature_counter, is_synced, name)
     VALUES ($1, gen_random_uuid()::text, '\\x00', 0, true, $2)`,
    [person.userId, name],
  );
const passkeys = () => asOwner('SELECT name FROM webauthn_credentials WHERE user_id = $1', [person.userId]);

async function resetByMail(): Promise<void> {
  await new Client(api.url).post('/api/auth/password/reset/', { email: person.email });
  const token = await mailbox.tokenFor(person.email);
  const own = 'pebble-garnet-mosaic-58';
  await new Client(api.url).post('/api/auth/password/reset/confirm/', { token, new_password: own });
}

/** Invites the person into the other organization. @returns the token of the mail */
async function inviteElsewhere(): Promise<string> {
  const invited = { email: person.email, first_name: 'Grace', last_name: 'Hale' };
  await new Client(api.url, { token: other.admin.token }).post(`/api/chapters/${other.chapterId}/members/`, invited);
  return mailbox.tokenFor(person.email);
}

const joinElsewhere = async () =>
  new Client(api.url).post('/api/auth/invitations/accept/', { token: await inviteElsewhere() });
const accountOf = async () =>
  (await asOwner('SELECT password_hash, password_given_in FROM users WHERE id = $1', [person.userId]))[0];
const NOTHING = { password_hash: null, password_given_in: null };

test('an invitation of another organization leaves the account unchanged', async () => {
  const client = await takeOver();
  await aPasskey();
  await inviteElsewhere();
  expect((await client.get('/api/auth/me/')).status).toBe(200);
  expect(await passkeys()).toHaveLength(1);
  expect((await setTemporary()).status).toBe(200);
});

test('a session with the given password neither sees invitations nor accepts them', async () => {
  const client = await takeOver();
  await inviteElsewhere();
  expect((await client.get('/api/auth/me/invitations/')).body.code).toBe('mailbox_unproven');
  const [invitation] = (await asOwner('SELECT id FROM invitations ORDER BY id DESC LIMIT 1')) as [{ id: string }];
  for (const answer of ['accept', 'decline']) {
    const refused = await client.post(`/api/auth/me/invitations/${invitation.id}/${answer}/`);
    expect([refused.status, refused.body.code]).toEqual([403, 'mailbox_unproven']);
  }
});

test('joining another organization revokes the given password, its sessions and its passkeys', async () => {
  const client = await takeOver();
  await aPasskey();
  expect((await joinElsewhere()).status).toBe(200);
  expect(await accountOf()).toEqual(NOTHING);
  expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
  expect((await logIn(native(), { email: person.email, password: NEW })).status).toBe(401);
  expect(await passkeys()).toEqual([]);
  expect((await sessionOf(person.userId))[0]?.revoked_reason).toBe('password_withdrawn');
});

test.each([
  ['another organization takes the person in', joinElsewhere],
  ['its person sets a password by mail', resetByMail],
])('a deletion requested with the given password is cancelled when %s', async (_when, act) => {
  const client = await takeOver();
  expect((await client.post('/api/auth/me/deletion/')).status).toBe(202);
  await act();
  expect(await asOwner('SELECT status FROM account_deletions WHERE user_id = $1', [person.userId])).toEqual([
    { status: 'cancelled' },
  ]);
  const subjects = (await mailbox.to(person.email)).map(({ subject }) => subject);
  expect(subjects).toContain('Your account will not be deleted');
});

test('the person is notified and sets a password through their own mailbox', async () => {
  await takeOver();
  await joinElsewhere();
  expect((await mailbox.to(person.email)).map(({ subject }) => subject)).toContain('Set a password of your own');
  await new Client(api.url).post('/api/auth/password/reset/', { email: person.email });
  const token = await mailbox.tokenFor(person.email);
  const own = 'pebble-garnet-mosaic-58';
  await new Client(api.url).post('/api/auth/password/reset/confirm/', { token, new_password: own });
  expect((await logIn(native(), { email: person.email, password: own })).status).toBe(200);
});

test('the account gets no further address before its mailbox is proven', async () => {
  const client = await takeOver();
  const email = `evil.${person.userId}@example.org`;
  expect(await client.post('/api/auth/emails/', { email })).toMatchObject({
    status: 403,
    body: { code: 'mailbox_unproven' },
  });
  await new Client(api.url).post('/api/auth/password/reset/', { email: person.email });
  const token = await mailbox.tokenFor(person.email);
  const own = 'pebble-garnet-mosaic-58';
  await new Client(api.url).post('/api/auth/password/reset/confirm/', { token, new_password: own });
  client.token = (await logIn(client, { email: person.email, password: own })).body.access_token;
  expect((await client.post('/api/auth/emails/', { email })).status).toBe(201);
});

test('a password set through the mailbox stays valid in every organization', async () => {
  await takeOver();
  await resetByMail();
  await joinElsewhere();
  expect((await logIn(native(), { email: person.email, password: 'pebble-garnet-mosaic-58' })).status).toBe(200);
});

test('a reset by mail removes passkeys from the time of the given password and keeps older ones', async () => {
  await aPasskey('own');
  await asOwner("UPDATE webauthn_credentials SET created_at = now() - interval '1 day' WHERE name = 'own'");
  await takeOver();
  await aPasskey('theirs');
  await setTemporary();
  await resetByMail();
  expect(await passkeys()).toEqual([{ name: 'own' }]);
});

test('a later password of a platform admin does not legitimize earlier passkeys', async () => {
  await takeOver();
  await aPasskey();
  const platform = admin({ 'X-Organization-Id': world.organizationId }, await aPlatformAdmin());
  expect((await setTemporary(platform)).status).toBe(200);
  await joinElsewhere();
  expect([await passkeys(), await accountOf()]).toEqual([[], NOTHING]);
});

test('a passkey whose session ended during its registration is not stored', async () => {
  await takeOver();
  const [session] = await sessionOf(person.userId);
  await joinElsewhere();
  const keep = () =>
    storePasskey(
      { userId: person.userId, sessionId: session?.id ?? '' },
      { credentialId: randomUUID(), publicKey: new Uint8Array(1), counter: 0, transports: [], isSynced: true },
      'Late',
    );
  await expect(inPlatform(keep)).rejects.toMatchObject({ code: 'session_ended' });
  expect(await passkeys()).toEqual([]);
});

test('an office in the same organization revokes nothing', async () => {
  const client = await takeOver();
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    world.organizationId,
    person.userId,
  ]);
  expect((await client.get('/api/auth/me/')).status).toBe(200);
});

test("the person's own password, which no admin knows, is not revoked", async () => {
  await givePassword(person.userId);
  const { client } = await aNativeClient(api.url, person.email);
  await joinElsewhere();
  expect((await client.get('/api/auth/me/')).status).toBe(200);
  expect((await logIn(native(), { email: person.email, password: PASSWORD })).status).toBe(200);
});

test('becoming a platform admin revokes the given password and its sessions', async () => {
  const client = await takeOver();
  await asOwner('UPDATE users SET is_platform_admin = true WHERE id = $1', [person.userId]);
  expect(await accountOf()).toEqual(NOTHING);
  expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
});

test('a password given by a platform admin stays', async () => {
  const platform = admin({ 'X-Organization-Id': world.organizationId }, await aPlatformAdmin());
  const { temporary_password: password } = (await setTemporary(platform)).body;
  await joinElsewhere();
  expect((await logIn(native(), { email: person.email, password })).status).toBe(200);
});

test('a given password and a concurrent acceptance in either order leave no access to the other organization', async () => {
  for (let round = 0; round < 5; round += 1) {
    person = await aMember(world.organizationId, world.chapterId);
    const token = await inviteElsewhere();
    const accept = () => new Client(api.url).post('/api/auth/invitations/accept/', { token });
    const [given, joined] = await Promise.all([setTemporary(), accept()]);
    expect(joined.status).toBe(200);
    expect([200, 403]).toContain(given.status);
    expect(await accountOf()).toEqual(NOTHING);
  }
});
