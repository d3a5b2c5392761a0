/** Tests the records of sign-ins, which sessions an admin ends, and the limits of a confined session. */
import { AUDIT_LOG } from '../../support/auditLog.js';
import { randomUUID } from 'node:crypto';
import { config } from '../../../config.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { startSession } from '../../../models/identity/startSession.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person, signIn, type World } from '../../support/world.js';
import { aNativeClient, forgetAttempts, givePassword, inOrder, logIn, PASSWORD } from './accounts.support.js';

let person: Person;

const { api, world, other } = apiWorld();
beforeEach(async () => {
  await forgetAttempts();
  person = await aMember(world.organizationId, world.chapterId);
  await givePassword(person.userId);
  await asOwner('DELETE FROM sessions WHERE user_id = $1', [person.userId]);
});

const as = (token: string) => new Client(api.url, { token });
const from = (device: string) => new Client(api.url, { headers: { 'User-Agent': device, 'X-Client': 'native' } });
const newDevices = async () =>
  (
    await asOwner<{ device: string }>(
      "SELECT facts ->> 'device' AS device FROM account_notices WHERE user_id = $1 AND kind = 'new_device' ORDER BY id",
      [person.userId],
    )
  ).map(({ device }) => device);
const events = (kind: string) =>
  asOwner<{ details: object; session_id: string | null; organization_id: string | null }>(
    'SELECT details, session_id, organization_id FROM security_events WHERE user_id = $1 AND kind = $2 ORDER BY id',
    [person.userId, kind],
  );
const audited = (action: string) =>
  asOwner<{ after: object; actor_user_id: string | null }>(
    `SELECT after, actor_user_id FROM ${AUDIT_LOG} WHERE organization_id = $1 AND subject_id = $2 AND action = $3`,
    [world.organizationId, person.userId, action],
  );
const alsoThere = () =>
  asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    other.organizationId,
    person.userId,
    other.chapterId,
  ]);

describe('sign-ins', () => {
  test('sign-ins are in the log of the person and in that of the organization', async () => {
    const { body } = await logIn(from('One/1.0'), { email: person.email });
    const id = (await as(body.access_token).get('/api/auth/me/')).body.session.id;
    const details = { client: 'native', method: 'password' };
    expect(await events('session.started')).toEqual([
      { details, session_id: id, organization_id: world.organizationId },
    ]);
    expect(await audited('session.started')).toEqual([{ after: details, actor_user_id: person.userId }]);
  });

  test('a sign-in with a new device is mailed once per device, except for the first device of all', async () => {
    const devices = ['One/1.0', 'One/1.0', 'Two/2.0', 'One/1.0', 'Two/2.0', 'Three/3.0'];
    for (const device of devices) await logIn(from(device), { email: person.email });
    expect(await newDevices()).toEqual(['Two/2.0', 'Three/3.0']);
  });

  test('a sign-in on a device whose sessions have ended is not mailed again', async () => {
    for (const device of ['One/1.0', 'Two/2.0']) await logIn(from(device), { email: person.email });
    await asOwner('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [person.userId]);
    await logIn(from('One/1.0'), { email: person.email });
    expect(await newDevices()).toEqual(['Two/2.0']);
  });

  test('failed sign-ins are recorded with the reason for the person and the admins, but not for an unknown account', async () => {
    const all = async () => (await asOwner("SELECT 1 FROM security_events WHERE kind = 'session.refused'")).length;
    const before = await all();
    await logIn(from('One/1.0'), { email: 'nobody-there@example.org', password: 'wrong' });
    expect(await all()).toBe(before);

    await logIn(from('One/1.0'), { email: person.email, password: 'wrong' });
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [person.userId]);
    await logIn(from('One/1.0'), { email: person.email });
    await asOwner('UPDATE users SET disabled_at = NULL, password_hash = NULL WHERE id = $1', [person.userId]);
    await logIn(from('One/1.0'), { email: person.email });
    const reasons = ['wrong_password', 'account_disabled', 'no_password'];
    const refusals = reasons.map((reason) => ({ method: 'password', reason }));
    expect((await events('session.refused')).map(({ details }) => details)).toEqual(refusals);
    expect((await audited('session.refused')).map(({ after, actor_user_id }) => [after, actor_user_id])).toEqual(
      refusals.map((after) => [after, null]),
    );
  });
});

describe('a proof of another kind', () => {
  const device = { client: 'native', userAgent: 'One/1.0', ipAddress: '127.0.0.1' } as const;
  const begin = (given: Partial<Parameters<typeof startSession>[0]>) =>
    inTenant(world.organizationId, () =>
      startSession({ userId: person.userId, organizationId: world.organizationId, device, ...given }),
    );
  const isRecent = async (given: Partial<Parameters<typeof startSession>[0]>) => {
    const tokens = await begin(given);
    const { status } = await as(tokens?.access_token as string).post('/api/auth/me/deletion/');
    if (status === 202) await as(tokens?.access_token as string).delete('/api/auth/me/deletion/');
    return status === 202;
  };

  test('a proof counts with its stated age: an unknown age is not recent and a future time counts as now', async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    expect(await isRecent({ method: 'passkey' })).toBe(true);
    expect(await isRecent({ method: 'passkey', provenAt: ago(14) })).toBe(true);
    expect(await isRecent({ method: 'passkey', provenAt: ago(16) })).toBe(false);
    expect(await isRecent({ method: 'passkey', provenAt: null })).toBe(false);
    expect(await isRecent({ method: 'saml', confined: true })).toBe(false);
    await begin({ method: 'passkey', provenAt: ago(-600) });
    const [{ late }] = (await asOwner<{ late: boolean }>(
      'SELECT bool_or(auth_time > now()) AS late FROM sessions WHERE user_id = $1',
      [person.userId],
    )) as [{ late: boolean }];
    expect(late).toBe(false);
  });

  test('a confined session cannot switch its organization, and neither sees nor ends sessions of others', async () => {
    await alsoThere();
    const elsewhere = await signIn(person.userId, other.organizationId);
    const tokens = await begin({ method: 'oauth', confined: true });
    const confined = as(tokens?.access_token as string);

    const switched = await confined.post('/api/auth/switch-organization/', { organization: other.slug });
    expect([switched.status, switched.body.code]).toEqual([403, 'session_confined']);
    for (const path of ['/api/auth/me/organizations/', '/api/organizations/']) {
      const { body } = await confined.get(path);
      expect(body.results.map(({ id }: { id: string }) => id)).toEqual([world.organizationId]);
    }
    const listed = (await confined.get('/api/auth/sessions/')).body.results as { organization: string }[];
    expect(listed.map(({ organization }) => organization)).toEqual([world.organizationId]);
    const theirs = (await as(elsewhere).get('/api/auth/me/')).body.session.id;
    expect((await confined.delete(`/api/auth/sessions/${theirs}/`)).status).toBe(404);
    expect((await confined.post('/api/auth/sessions/revoke-others/')).body).toEqual({ revoked: 0 });
    expect((await as(elsewhere).get('/api/auth/me/')).status).toBe(200);

    const refreshed = await new Client(api.url).post('/api/auth/token/refresh/', {
      refresh_token: tokens?.refresh_token,
    });
    const again = await as(refreshed.body.access_token).post('/api/auth/switch-organization/', {
      organization: other.slug,
    });
    expect(again.body.code).toBe('session_confined');
  });
});

test('a person ends all other sessions at once and keeps this one', async () => {
  const { client } = await aNativeClient(api.url, person.email);
  const others = [await signIn(person.userId, world.organizationId), await signIn(person.userId, world.organizationId)];
  const { status, body } = await client.post('/api/auth/sessions/revoke-others/');
  expect([status, body]).toEqual([200, { revoked: 2 }]);
  for (const token of others) expect((await as(token).get('/api/auth/me/')).body.code).toBe('session_ended');
  expect((await client.get('/api/auth/me/')).status).toBe(200);
  expect((await as(world.member.token).get('/api/auth/me/')).status).toBe(200);
  expect((await events('sessions.revoked')).map(({ details }) => details)).toEqual([{ count: 2 }]);
  expect((await client.post('/api/auth/sessions/revoke-others/')).body).toEqual({ revoked: 0 });
  expect((await new Client(api.url).post('/api/auth/sessions/revoke-others/')).status).toBe(401);
});

describe("a member's sessions, for admins", () => {
  const path = (userId: string, rest = '', organization = world.organizationId) =>
    `/api/organizations/${organization}/users/${userId}/sessions/${rest}`;

  test("an admin sees and ends only the sessions that act in the admin's organization", async () => {
    await alsoThere();
    const [here, second] = [
      await signIn(person.userId, world.organizationId),
      await signIn(person.userId, world.organizationId),
    ];
    const there = await signIn(person.userId, other.organizationId);
    const admin = as(world.admin.token);
    const { body } = await admin.get(path(person.userId));
    expect(body.count).toBe(2);
    expect(new Set(body.results.map(({ organization }: { organization: string }) => organization))).toEqual(
      new Set([world.organizationId]),
    );
    const [id, elsewhere] = await Promise.all(
      [here, there].map(async (token) => (await as(token).get('/api/auth/me/')).body.session.id as string),
    );
    expect((await admin.delete(path(person.userId, `${elsewhere}/`))).status).toBe(404);
    expect((await admin.delete(path(person.userId, `${id}/`))).status).toBe(204);
    expect((await admin.delete(path(person.userId, `${id}/`))).status).toBe(404);
    expect((await as(here).get('/api/auth/me/')).body.code).toBe('session_ended');
    expect((await admin.post(path(person.userId, 'revoke-all/'))).body).toEqual({ revoked: 1 });
    expect((await as(second).get('/api/auth/me/')).body.code).toBe('session_ended');
    expect((await as(there).get('/api/auth/me/')).status).toBe(200);
    expect((await audited('session.revoked'))[0]?.actor_user_id).toBe(world.admin.userId);
    expect(await events('sessions.revoked')).toHaveLength(1);
  });

  test('an ended session cannot return from another organization without a new proof', async () => {
    await alsoThere();
    await asOwner('DELETE FROM session_cutoffs');
    const { client } = await aNativeClient(api.url, person.email);
    const go = async (by: Client, { slug }: World) => {
      const { status, body } = await by.post('/api/auth/switch-organization/', { organization: slug });
      if (status === 200) by.token = body.access_token;
      return body.code ?? status;
    };
    expect([await go(client, world), await go(client, other)]).toEqual([200, 200]);
    expect((await as(world.admin.token).post(path(person.userId, 'revoke-all/'))).body).toEqual({ revoked: 0 });

    expect(await go(client, world)).toBe('sessions_ended_there');
    // The refusal has moved nothing, and in the other organization the session is still valid.
    expect((await client.get('/api/auth/me/')).body.organization.id).toBe(other.organizationId);
    expect((await client.post('/api/auth/step-up/', { password: PASSWORD })).status).toBe(200);
    expect([await go(client, world), await go(client, other), await go(client, world)]).toEqual([200, 200, 200]);

    const { client: fresh } = await aNativeClient(api.url, person.email);
    expect([await go(fresh, other), await go(fresh, world)]).toEqual([200, 200]);
    // An organization does not learn about a member's sessions elsewhere.
    await as(other.admin.token).post(path(person.userId, 'revoke-all/', other.organizationId));
    expect((await fresh.get('/api/auth/me/')).status).toBe(200);
    expect(await go(fresh, other)).toBe('sessions_ended_there');
  });

  test('sessions that switch into the organization while an admin ends all sessions end too, in either order', async () => {
    await alsoThere();
    for (const order of [0, 1]) {
      await forgetAttempts();
      const { client } = await aNativeClient(api.url, person.email);
      const there = (await client.post('/api/auth/switch-organization/', { organization: other.slug })).body;
      client.token = there.access_token;
      const calls = [
        () => client.post('/api/auth/switch-organization/', { organization: world.slug }),
        () => as(world.admin.token).post(path(person.userId, 'revoke-all/')),
      ];
      await inOrder(person.userId, order === 0 ? calls : calls.toReversed());
      const live = await asOwner(
        'SELECT FROM sessions WHERE user_id = $1 AND organization_id = $2 AND revoked_at IS NULL',
        [person.userId, world.organizationId],
      );
      expect(live).toEqual([]);
    }
  });

  test('sessions of people without a membership, in other organizations and of unknown ids answer 404', async () => {
    const admin = as(world.admin.token);
    for (const userId of [other.member.userId, randomUUID(), 'nonsense']) {
      expect((await admin.get(path(userId))).status).toBe(404);
      expect((await admin.post(path(userId, 'revoke-all/'))).status).toBe(404);
      expect((await admin.delete(path(userId, `${randomUUID()}/`))).status).toBe(404);
    }
    expect((await admin.get(path(other.member.userId, '', other.organizationId))).status).toBe(404);
    expect((await as(other.member.token).get('/api/auth/me/')).status).toBe(200);
  });

  test("a member's sessions are shown only to admins of the organization", async () => {
    for (const { token } of [world.member, world.officer, world.regionalAdmin])
      expect((await as(token).get(path(person.userId))).status).toBe(403);
    expect((await new Client(api.url).get(path(person.userId))).status).toBe(401);
  });
});

test('during a key rotation, tokens of the old and of the new key are accepted', async () => {
  const { client, refreshToken } = await aNativeClient(api.url, person.email);
  const ring = [...config.JWT_KEYS];
  const refresh = (refresh_token: string) => new Client(api.url).post('/api/auth/token/refresh/', { refresh_token });
  try {
    config.JWT_KEYS.splice(0, Infinity, { id: 'next', secret: 'the-next-secret-of-the-ring-0000000' }, ...ring);
    expect((await client.get('/api/auth/me/')).status).toBe(200);
    const { body } = await refresh(refreshToken);
    expect((await as(body.access_token).get('/api/auth/me/')).status).toBe(200);
    const old = await aNativeClient(api.url, person.email);
    // The old key is removed after its tokens have expired.
    config.JWT_KEYS.splice(1);
    expect((await client.get('/api/auth/me/')).body.code).toBe('token_invalid');
    expect((await as(body.access_token).get('/api/auth/me/')).status).toBe(200);
    expect((await refresh(old.refreshToken)).status).toBe(200);
  } finally {
    config.JWT_KEYS.splice(0, Infinity, ...ring);
  }
});
