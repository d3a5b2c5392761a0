/** Tests impersonation: its start, its session, and the return to the admin's own session. */
import { AUDIT_LOG } from '../../support/auditLog.js';
import { randomUUID } from 'node:crypto';
import { config } from '../../../config.js';
import { log } from '../../../models/log.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { eventually } from '../../support/platform.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aPlatformAdmin, aWorld, type Person, signIn } from '../../support/world.js';
import { aBrowser, forgetAttempts, givePassword } from './accounts.support.js';
import { claimsIn, impersonating, passDeadline, REASON, refresh, start } from './impersonation.support.js';

let person: Person;

const { api, world, other } = apiWorld();
beforeEach(forgetAttempts);
beforeEach(async () => {
  person = await aMember(world.organizationId, world.chapterId);
});

const statusAndCode = ({ status, body }: { status: number; body: { code?: string } }) => [status, body?.code];
const begin = () => impersonating(api.url, world, person.membershipId);
const adminClient = async () => new Client(api.url, { token: await signIn(world.admin.userId, world.organizationId) });

test('each request is logged with the member and with the impersonating admin', async () => {
  const { client } = await begin();
  const logged = jest.spyOn(log, 'info');
  await client.get('/api/auth/me/');
  await eventually(
    async () => logged.mock.calls.length,
    (count) => count > 0,
  );
  const [facts] = logged.mock.calls[0] as unknown as [Record<string, unknown>];
  expect(facts).toMatchObject({ userId: person.userId, impersonatorId: world.admin.userId, route: '/api/auth/me/' });
  logged.mockRestore();
});

describe('starting an impersonation', () => {
  test('an impersonation opens a session of the member whose tokens name the admin, the organization and the deadline', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { client, access, refresh: refreshToken, restore } = await begin();
    const { body } = await client.get('/api/auth/me/');
    expect(body.user.id).toBe(person.userId);
    expect(body.impersonation.by).toBe(world.admin.userId);
    for (const token of [access, refreshToken]) {
      const claims = claimsIn(token);
      expect(claims).toMatchObject({ sub: person.userId, imp_by: world.admin.userId, imp_org: world.organizationId });
      expect(Math.abs((claims['imp_exp'] as number) - before - 1800)).toBeLessThan(10);
      expect(claims['imp_sid']).toBe(claimsIn(restore)['imp_sid']);
    }
    expect(claimsIn(restore)).toMatchObject({ typ: 'restore', sub: world.admin.userId, imp_restore: true });
  });

  test('an impersonation in a browser sets cookies, and only the account endpoints get the restore token', async () => {
    await givePassword(world.admin.userId);
    const browser = await aBrowser(api.url, world.admin.email);
    const { status, body, headers } = await start(browser, person.membershipId);
    expect([status, body.access_token, body.restore_token]).toEqual([200, undefined, undefined]);
    const line = headers.getSetCookie().find((cookie) => cookie.startsWith('restore_token='));
    expect(line).toMatch(/Path=\/api\/auth\/; .*HttpOnly; SameSite=Lax/);
    expect((await browser.get('/api/auth/me/')).body.user.id).toBe(person.userId);

    const stopped = await browser.post('/api/auth/impersonate/stop/');
    expect([stopped.status, stopped.body]).toEqual([200, {}]);
    expect(browser.cookie('restore_token')).toBeUndefined();
    const me = (await browser.get('/api/auth/me/')).body;
    expect([me.user.id, me.impersonation]).toEqual([world.admin.userId, null]);
  });

  test('an impersonation records its reason in the audit log and notifies the member in their log and by mail', async () => {
    await begin();
    const audited = await asOwner<{ actor_user_id: string; after: Record<string, unknown> }>(
      `SELECT actor_user_id, after FROM ${AUDIT_LOG} WHERE action = 'impersonation.started' AND subject_id = $1`,
      [person.userId],
    );
    expect(audited).toHaveLength(1);
    expect(audited[0]).toMatchObject({ actor_user_id: world.admin.userId, after: { reason: REASON } });
    const events = await asOwner<{ details: object }>(
      `SELECT details FROM security_events WHERE user_id = $1 AND kind = 'impersonation.started'`,
      [person.userId],
    );
    expect(events).toHaveLength(1);
    expect(events[0]?.details).toMatchObject({ by: world.admin.userId });
    expect(events[0]?.details).not.toHaveProperty('reason');
    const mail = await asOwner('SELECT kind FROM account_notices WHERE user_id = $1', [person.userId]);
    expect(mail).toEqual([{ kind: 'impersonated' }]);
  });

  test('an impersonation sends no mail where the organization turned these notices off', async () => {
    const { organizationId, admin, member } = other;
    const settings = new Client(api.url, { token: admin.token });
    const changed = await settings.patch(`/api/organizations/${organizationId}/`, { impersonation_notices: false });
    expect([changed.status, changed.body.impersonation_notices]).toEqual([200, false]);
    await impersonating(api.url, other);
    expect(await asOwner('SELECT kind FROM account_notices WHERE user_id = $1', [member.userId])).toEqual([]);
  });

  test('an impersonation needs a sign-in of the last 15 minutes', async () => {
    const client = await adminClient();
    await asOwner("UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1", [
      world.admin.userId,
    ]);
    expect(statusAndCode(await start(client, person.membershipId))).toEqual([403, 'step_up_required']);
  });

  test('only an admin of the organization in person can impersonate', async () => {
    for (const { userId } of [world.officer, world.regionalAdmin, world.member]) {
      const client = new Client(api.url, { token: await signIn(userId, world.organizationId) });
      expect(statusAndCode(await start(client, person.membershipId))).toEqual([403, 'forbidden']);
    }
    const platform = await aPlatformAdmin();
    const client = new Client(api.url, {
      token: platform.token,
      headers: { 'X-Organization-Id': world.organizationId },
    });
    expect(statusAndCode(await start(client, person.membershipId))).toEqual([403, 'forbidden']);
    await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
      world.organizationId,
      platform.userId,
    ]);
    expect((await start(client, person.membershipId)).status).toBe(200);
    await asOwner('UPDATE organization_admins SET is_active = false WHERE user_id = $1', [platform.userId]);
    expect(statusAndCode(await start(client, person.membershipId))).toEqual([403, 'forbidden']);
  });

  test('an impersonation of a membership outside the organization answers 404', async () => {
    const client = await adminClient();
    expect(statusAndCode(await start(client, other.member.membershipId))).toEqual([404, 'not_found']);
    expect(statusAndCode(await start(client, randomUUID()))).toEqual([404, 'not_found']);
  });

  test('a start with missing or wrong fields names them', async () => {
    const client = await adminClient();
    const { status, body } = await client.post('/api/auth/impersonate/', { membership: 'x', reason: ' ' });
    expect([status, Object.keys(body.errors).sort()]).toEqual([400, ['membership', 'reason']]);
    expect((await client.post('/api/auth/impersonate/', { membership: person.membershipId })).status).toBe(400);
  });

  test('a start without a session or within another impersonation is refused', async () => {
    expect((await start(new Client(api.url), person.membershipId)).status).toBe(401);
    const { client } = await begin();
    expect(statusAndCode(await start(client, world.member.membershipId))).toEqual([403, 'impersonation_area_closed']);
  });

  test.each<[string, (target: Person) => Promise<unknown>]>([
    ['a platform admin', ({ userId }) => asOwner('UPDATE users SET is_platform_admin = true WHERE id = $1', [userId])],
    [
      'somebody with a password to change',
      ({ userId }) => asOwner('UPDATE users SET must_change_password = true WHERE id = $1', [userId]),
    ],
    ['the disabled', ({ userId }) => asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [userId])],
    [
      'an admin of another organization',
      ({ userId }) =>
        asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
          other.organizationId,
          userId,
        ]),
    ],
    [
      'a regional admin of another organization',
      ({ userId }) =>
        asOwner(
          `INSERT INTO regional_admins (organization_id, region_id, user_id, role) VALUES ($1, $2, $3, 'advisor')`,
          [other.organizationId, other.regionId, userId],
        ),
    ],
    [
      'a member who is not active',
      ({ membershipId }) => asOwner("UPDATE memberships SET status = 'inactive' WHERE id = $1", [membershipId]),
    ],
  ])(
    'an impersonation never makes the admin %s, and ends with the next request when the member becomes one',
    async (_, change) => {
      const { client, own } = await begin();
      expect((await client.get('/api/auth/me/')).status).toBe(200);
      await change(person);
      expect(statusAndCode(await client.get('/api/auth/me/'))).toEqual([401, 'session_ended']);
      expect(statusAndCode(await start(own, person.membershipId))).toEqual([403, 'not_impersonable']);
    },
  );

  test('an admin can impersonate neither themselves nor another admin', async () => {
    const client = await adminClient();
    expect(statusAndCode(await start(client, world.admin.membershipId))).toEqual([403, 'not_impersonable']);
    expect(statusAndCode(await start(client, world.regionalAdmin.membershipId))).toEqual([403, 'not_impersonable']);
  });
});

describe('the session of an impersonation', () => {
  test("a request in an impersonation costs no more round trips than one in the member's own session", async () => {
    await asOwner('UPDATE organizations SET impersonation_notices = false WHERE id = $1', [world.organizationId]);
    const { client } = await begin();
    await asOwner('UPDATE organizations SET impersonation_notices = true WHERE id = $1', [world.organizationId]);
    const ordinary = new Client(api.url, { token: person.token });
    const list = (who: Client) => countStatements(() => who.get(`/api/organizations/${world.organizationId}/terms/`));
    await list(client);
    expect(await list(client)).toBe(await list(ordinary));
  });

  test("an impersonation ends with the next request after the admin's role ends", async () => {
    const second = await aMember(world.organizationId, world.otherChapterId);
    await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
      world.organizationId,
      second.userId,
    ]);
    const { client } = await impersonating(api.url, world, person.membershipId, second.userId);
    await asOwner('UPDATE organization_admins SET is_active = false WHERE user_id = $1', [second.userId]);
    expect(statusAndCode(await client.get('/api/auth/me/'))).toEqual([401, 'session_ended']);
  });

  test('an impersonation ends when the admin is disabled or their own session is ended', async () => {
    const second = await aMember(world.organizationId, world.otherChapterId);
    await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
      world.organizationId,
      second.userId,
    ]);
    const { client } = await impersonating(api.url, world, person.membershipId, second.userId);
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [second.userId]);
    expect(statusAndCode(await client.get('/api/auth/me/'))).toEqual([401, 'session_ended']);
    await asOwner('UPDATE users SET disabled_at = NULL WHERE id = $1', [second.userId]);
    expect((await client.get('/api/auth/me/')).status).toBe(200);
    await asOwner('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [second.userId]);
    expect(statusAndCode(await client.get('/api/auth/me/'))).toEqual([401, 'session_ended']);
  });

  test("ending the admin's sessions in the organization ends the impersonation, even after the admin's own session switched to another organization", async () => {
    const deputy = await aMember(world.organizationId, world.chapterId);
    for (const { organizationId } of [world, other])
      await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
        organizationId,
        deputy.userId,
      ]);
    const { client, own, restore } = await impersonating(api.url, world, person.membershipId, deputy.userId);
    const moved = await own.post('/api/auth/switch-organization/', { organization: other.slug });
    expect((await client.get('/api/auth/me/')).status).toBe(200);

    const path = `/api/organizations/${world.organizationId}/users/${deputy.userId}/sessions/revoke-all/`;
    expect((await (await adminClient()).post(path)).status).toBe(200);
    expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
    expect((await client.post('/api/auth/impersonate/stop/', { restore_token: restore })).status).toBe(401);
    expect((await new Client(api.url, { token: moved.body.access_token }).get('/api/auth/me/')).status).toBe(200);
  });

  test('an impersonation ends at its deadline, even if its tokens are still valid', async () => {
    const { client } = await begin();
    await passDeadline(person.userId);
    expect(statusAndCode(await client.get('/api/auth/me/'))).toEqual([401, 'session_ended']);
  });

  test('an impersonation ends when the organization is suspended', async () => {
    const suspended = await aWorld();
    const { client } = await impersonating(api.url, suspended);
    await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [suspended.organizationId]);
    expect(statusAndCode(await client.get('/api/auth/me/'))).toEqual([401, 'session_ended']);
  });

  test('an impersonation cannot name another organization of the member and does not list it', async () => {
    await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
      other.organizationId,
      person.userId,
      other.chapterId,
    ]);
    const { client } = await begin();
    const named = (id: string) => client.get('/api/auth/me/', { 'X-Organization-Id': id });
    expect((await named(world.organizationId)).status).toBe(200);
    expect(statusAndCode(await named(other.organizationId))).toEqual([403, 'organization_forbidden']);
    for (const path of ['/api/auth/me/organizations/', '/api/organizations/']) {
      const { body } = await client.get(path);
      expect([path, body.results.map(({ id }: { id: string }) => id)]).toEqual([path, [world.organizationId]]);
    }
  });
});

describe('stopping an impersonation', () => {
  const stop = (client: Client, restore_token?: string) =>
    client.post('/api/auth/impersonate/stop/', { restore_token });

  test("a stop restores the admin's own session with new tokens and ends the impersonation", async () => {
    const { client, access, refresh: refreshToken, restore } = await begin();
    const { status, body } = await stop(client, restore);
    expect([status, body.expires_in]).toEqual([200, 1800]);
    const own = new Client(api.url, { token: body.access_token });
    expect((await own.get('/api/auth/me/')).body.user.id).toBe(world.admin.userId);
    expect(claimsIn(body.access_token)).not.toHaveProperty('imp_sid');
    expect((await refresh(api.url, body.refresh_token)).status).toBe(200);
    expect(statusAndCode(await new Client(api.url, { token: access }).get('/api/auth/me/'))).toEqual([
      401,
      'session_ended',
    ]);
    expect(statusAndCode(await refresh(api.url, refreshToken, restore))).toEqual([401, 'session_ended']);
    expect(statusAndCode(await stop(client, restore))).toEqual([401, 'session_ended']);
  });

  test("a stop is recorded with the admin's name", async () => {
    const { client, restore } = await begin();
    await stop(client, restore);
    const events = await asOwner('SELECT kind FROM security_events WHERE user_id = $1 ORDER BY id', [person.userId]);
    expect(events.map(({ kind }) => kind)).toEqual(['impersonation.started', 'impersonation.ended']);
    const audited = await asOwner(
      `SELECT actor_user_id FROM audit_log WHERE action = 'impersonation.ended' AND subject_id = $1`,
      [person.userId],
    );
    expect(audited).toEqual([{ actor_user_id: world.admin.userId }]);
  });

  test('a stop needs the restore token of the same session', async () => {
    const [one, two] = [await begin(), await begin()];
    for (const token of [undefined, two.restore, one.access, one.refresh, 'nonsense'])
      expect(statusAndCode(await stop(one.client, token))).toEqual([401, 'restore_token_invalid']);
    expect((await one.client.get('/api/auth/me/')).status).toBe(200);
    expect((await stop(one.client, one.restore)).status).toBe(200);
    expect((await two.client.get('/api/auth/me/')).status).toBe(200);
  });

  test("a stop needs the session's own token, because the restore token alone opens nothing", async () => {
    const { restore } = await begin();
    expect(statusAndCode(await stop(new Client(api.url), restore))).toEqual([401, 'not_authenticated']);
    expect((await new Client(api.url, { token: restore }).get('/api/auth/me/')).status).toBe(401);
    expect(statusAndCode(await refresh(api.url, restore, restore))).toEqual([401, 'refresh_token_invalid']);
    const client = await adminClient();
    expect(statusAndCode(await stop(client, restore))).toEqual([409, 'not_impersonating']);
  });

  test('of ten concurrent stops one gets the tokens', async () => {
    const { client, restore } = await begin();
    const answers = await Promise.all(Array.from({ length: 10 }, () => stop(client, restore)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
  });

  test('a stop works after the deadline', async () => {
    const { client, restore } = await begin();
    await passDeadline(person.userId);
    expect((await stop(client, restore)).status).toBe(200);
  });

  test("a stop restores nothing when the admin's own session has been ended", async () => {
    const { client, own, restore } = await begin();
    await own.post('/api/auth/logout/');
    expect(statusAndCode(await stop(client, restore))).toEqual([401, 'session_ended']);
  });
});

describe('refreshing an impersonation', () => {
  test('a refresh before the deadline keeps the claims and the deadline', async () => {
    const { refresh: first, restore } = await begin();
    const { status, body, headers } = await refresh(api.url, first, restore);
    expect([status, headers.get('x-impersonation-ended')]).toEqual([200, null]);
    for (const token of [body.access_token, body.refresh_token]) {
      const { imp_by, imp_org, imp_exp, imp_sid, sub } = claimsIn(first);
      expect(claimsIn(token)).toMatchObject({ imp_by, imp_org, imp_exp, imp_sid, sub });
    }
    const client = new Client(api.url, { token: body.access_token });
    expect((await client.get('/api/auth/me/')).body.impersonation.by).toBe(world.admin.userId);
    expect(statusAndCode(await refresh(api.url, first))).toEqual([401, 'refresh_token_reused']);
  });

  test('two refreshes within the grace period both keep the claims', async () => {
    const { refresh: first } = await begin();
    const before = config.REFRESH_GRACE_SECONDS;
    config.REFRESH_GRACE_SECONDS = 10;
    try {
      await refresh(api.url, first);
      const { status, body } = await refresh(api.url, first);
      expect([status, claimsIn(body.access_token)['imp_sid']]).toEqual([200, claimsIn(first)['imp_sid']]);
    } finally {
      config.REFRESH_GRACE_SECONDS = before;
    }
  });

  test("a refresh after the deadline answers with the admin's own tokens and says so", async () => {
    const { refresh: token, restore } = await begin();
    await passDeadline(person.userId);
    const { status, body, headers } = await refresh(api.url, token, restore);
    expect([status, headers.get('x-impersonation-ended')]).toEqual([200, '1']);
    const own = new Client(api.url, { token: body.access_token });
    const me = (await own.get('/api/auth/me/')).body;
    expect([me.user.id, me.impersonation]).toEqual([world.admin.userId, null]);
    expect(statusAndCode(await refresh(api.url, token, restore))).toEqual([401, 'session_ended']);
  });

  test("a refresh in a browser after the deadline restores the admin's session by its cookies", async () => {
    await givePassword(world.admin.userId);
    const browser = await aBrowser(api.url, world.admin.email);
    await start(browser, person.membershipId);
    await passDeadline(person.userId);
    expect((await browser.get('/api/auth/me/')).status).toBe(401);
    const { status, body, headers } = await browser.post('/api/auth/token/refresh/');
    expect([status, body, headers.get('x-impersonation-ended')]).toEqual([200, {}, '1']);
    expect((await browser.get('/api/auth/me/')).body.user.id).toBe(world.admin.userId);
    expect(browser.cookie('restore_token')).toBeUndefined();
  });

  test('a refresh after the deadline needs the restore token of the same session', async () => {
    const [one, two] = [await begin(), await begin()];
    await passDeadline(person.userId);
    for (const token of [undefined, two.restore, one.refresh])
      expect(statusAndCode(await refresh(api.url, one.refresh, token))).toEqual([401, 'restore_token_invalid']);
    expect((await refresh(api.url, one.refresh, one.restore)).status).toBe(200);
  });

  test('of ten concurrent refreshes after the deadline one gets the tokens', async () => {
    const { refresh: token, restore } = await begin();
    await passDeadline(person.userId);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(api.url, token, restore)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("a refresh restores the admin's session when the member has left meanwhile", async () => {
    const { refresh: token, restore } = await begin();
    await asOwner("UPDATE memberships SET status = 'inactive' WHERE id = $1", [person.membershipId]);
    const { status, headers } = await refresh(api.url, token, restore);
    expect([status, headers.get('x-impersonation-ended')]).toEqual([200, '1']);
  });

  test('a refresh restores nothing for a disabled admin', async () => {
    const second = await aMember(world.organizationId, world.otherChapterId);
    await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
      world.organizationId,
      second.userId,
    ]);
    const impersonation = await impersonating(api.url, world, person.membershipId, second.userId);
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [second.userId]);
    expect(statusAndCode(await refresh(api.url, impersonation.refresh, impersonation.restore))).toEqual([
      401,
      'session_ended',
    ]);
  });
});

test("a log-out ends the impersonation and, in a browser, the admin's own session", async () => {
  const { client, own } = await begin();
  expect((await client.post('/api/auth/logout/')).status).toBe(204);
  expect(statusAndCode(await client.get('/api/auth/me/'))).toEqual([401, 'session_ended']);
  expect((await own.get('/api/auth/me/')).status).toBe(200);

  await givePassword(world.admin.userId);
  const browser = await aBrowser(api.url, world.admin.email);
  const before = browser.cookie('access_token') as string;
  await start(browser, person.membershipId);
  expect((await browser.post('/api/auth/logout/')).status).toBe(204);
  expect(browser.cookie('restore_token')).toBeUndefined();
  expect(statusAndCode(await new Client(api.url, { token: before }).get('/api/auth/me/'))).toEqual([
    401,
    'session_ended',
  ]);
});
