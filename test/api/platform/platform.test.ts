import { AUDIT_LOG } from '../../support/auditLog.js';
import { randomUUID } from 'node:crypto';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aPlatformAdmin, aUser, aWorld, type Person, signIn } from '../../support/world.js';
import { aNativeClient, forgetAttempts, givePassword, logIn } from '../identity/accounts.support.js';

let platform: Client;
let platformId: string;
let person: Person;

const { api, world } = apiWorld();
beforeAll(async () => {
  const admin = await aPlatformAdmin();
  platformId = admin.userId;
  platform = new Client(api.url, { token: admin.token });
});
beforeEach(async () => {
  await forgetAttempts();
  person = await aMember(world.organizationId, world.chapterId);
  await givePassword(person.userId);
});

const as = ({ token }: { token: string }) => new Client(api.url, { token });
let counter = 0;
const aSlug = () => `made-${process.pid}-${Date.now().toString(36)}-${(counter += 1)}`;

const ROUTES: ['get' | 'post' | 'delete', string, object?][] = [
  ['post', '/api/platform/organizations/', { name: 'X', slug: 'x' }],
  ['post', `/api/platform/organizations/${randomUUID()}/suspend/`],
  ['post', `/api/platform/organizations/${randomUUID()}/reactivate/`],
  ['get', '/api/platform/admins/'],
  ['post', '/api/platform/admins/', { user: randomUUID() }],
  ['delete', `/api/platform/admins/${randomUUID()}/`],
  ['get', '/api/platform/users/'],
  ['get', '/api/platform/user-search/?q=first'],
  ['post', `/api/platform/users/${randomUUID()}/disable/`],
  ['post', `/api/platform/users/${randomUUID()}/enable/`],
];
const ask = (client: Client, [method, path, body]: (typeof ROUTES)[number]) =>
  method === 'post' ? client.post(path, body) : client[method](path);

test.each(ROUTES)('%s %s is for platform admins', async (...route) => {
  expect((await ask(new Client(api.url), route)).status).toBe(401);
  for (const somebody of [world.admin, world.member])
    expect((await ask(as(somebody), route)).body).toMatchObject({ code: 'forbidden' });
});

test.each(ROUTES.filter(([method]) => method !== 'get'))('%s %s needs a recent sign-in', async (...route) => {
  const { userId, token } = await aPlatformAdmin();
  await asOwner("UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1", [userId]);
  expect((await ask(as({ token }), route)).body.code).toBe('step_up_required');
});

test('a platform admin needs a recent sign-in to change the activity or slug of an organization', async () => {
  const { userId, token } = await aPlatformAdmin();
  await asOwner("UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1", [userId]);
  const client = new Client(api.url, { token, headers: { 'X-Organization-Id': world.organizationId } });
  const change = (body: object) => client.patch(`/api/organizations/${world.organizationId}/`, body);
  expect((await change({ is_active: false })).body.code).toBe('step_up_required');
  expect((await change({ slug: 'other' })).body.code).toBe('step_up_required');
  expect((await change({ primary_color: '#123456' })).body?.code).not.toBe('step_up_required');
});

describe('organizations on the platform', () => {
  test('an organization is created with an invitation to its first admin and an entry in its audit log', async () => {
    const [slug, email] = [aSlug(), `${aSlug()}@example.org`];
    const { status, body } = await platform.post('/api/platform/organizations/', {
      name: 'New one',
      slug,
      timezone: 'America/New_York',
      admin: { email, first_name: 'Sam', last_name: 'First' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'New one', slug, is_active: true, timezone: 'America/New_York' });
    const admins = await asOwner(
      'SELECT u.typed_email, a.is_active FROM organization_admins a JOIN users u ON u.id = a.user_id WHERE organization_id = $1',
      [body.id],
    );
    expect(admins).toEqual([{ typed_email: email, is_active: false }]);
    const logged = await asOwner(
      "SELECT actor_user_id FROM audit_log WHERE organization_id = $1 AND action = 'organization.created'",
      [body.id],
    );
    expect(logged).toEqual([{ actor_user_id: platformId }]);
    const inside = new Client(api.url, { token: platform.token as string, headers: { 'X-Organization-Id': body.id } });
    expect((await inside.get(`/api/organizations/${body.id}/chapters/`)).body.count).toBe(0);
  });

  test('an organization needs a unique slug and valid fields', async () => {
    const duplicate = await platform.post('/api/platform/organizations/', { name: 'Again', slug: world.slug });
    expect([duplicate.status, duplicate.body.code]).toEqual([409, 'duplicate']);
    for (const [body, field] of [
      [{ slug: aSlug() }, 'name'],
      [{ name: 'X', slug: 'Not a slug' }, 'slug'],
      [{ name: 'X', slug: aSlug(), timezone: 'Nowhere/Town' }, 'timezone'],
      [{ name: 'X', slug: aSlug(), admin: { email: 'nobody' } }, 'admin.email'],
      [{ name: 'X', slug: aSlug(), is_active: true }, 'is_active'],
    ] as const) {
      const { status, body: answer } = await platform.post('/api/platform/organizations/', body);
      expect([status, Object.keys(answer.errors)]).toEqual([400, [field]]);
    }
  });

  test('a suspended organization ends its sessions and refuses log-ins until it is reactivated', async () => {
    const tenant = await aWorld();
    await givePassword(tenant.member.userId);
    const { client, refreshToken } = await aNativeClient(api.url, tenant.member.email);
    const suspended = await platform.post(`/api/platform/organizations/${tenant.organizationId}/suspend/`);
    expect(suspended.body).toMatchObject({ id: tenant.organizationId, is_active: false });

    expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
    expect((await as(tenant.admin).get('/api/auth/me/')).body.code).toBe('session_ended');
    const refreshed = await new Client(api.url).post('/api/auth/token/refresh/', { refresh_token: refreshToken });
    expect(refreshed.body.code).toBe('session_ended');
    const { email } = tenant.member;
    expect((await logIn(new Client(api.url), { email })).status).toBe(401);
    expect((await as(world.member).get('/api/auth/me/')).status).toBe(200);
    const reasons = await asOwner('SELECT DISTINCT revoked_reason FROM sessions WHERE organization_id = $1', [
      tenant.organizationId,
    ]);
    expect(reasons).toEqual([{ revoked_reason: 'organization_suspended' }]);

    await platform.post(`/api/platform/organizations/${tenant.organizationId}/reactivate/`);
    expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
    expect((await logIn(new Client(api.url), { email })).status).toBe(200);
    const logged = await asOwner<{ after: object }>(
      "SELECT after FROM audit_log WHERE organization_id = $1 AND action = 'organization.updated' ORDER BY id",
      [tenant.organizationId],
    );
    expect(logged).toEqual([{ after: { is_active: false } }, { after: { is_active: true } }]);
  });

  test('a suspension through the ordinary route ends the sessions there, and a member of two organizations signs in to the other', async () => {
    const tenant = await aWorld();
    await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
      tenant.organizationId,
      person.userId,
      tenant.chapterId,
    ]);
    const inside = new Client(api.url, {
      token: platform.token as string,
      headers: { 'X-Organization-Id': tenant.organizationId },
    });
    await inside.patch(`/api/organizations/${tenant.organizationId}/`, { is_active: false });
    expect((await as(tenant.member).get('/api/auth/me/')).body.code).toBe('session_ended');
    const refused = await logIn(new Client(api.url), { email: person.email, organization: tenant.slug });
    expect(refused.body.code).toBe('organization_forbidden');
    expect((await logIn(new Client(api.url), { email: person.email })).body.organization.id).toBe(world.organizationId);
  });

  test('an unknown organization cannot be suspended', async () => {
    for (const id of [randomUUID(), 'nonsense'])
      expect((await platform.post(`/api/platform/organizations/${id}/suspend/`)).status).toBe(404);
  });
});

describe('platform admins', () => {
  const admins = '/api/platform/admins/';

  test("granting and revoking a platform admin ends the person's sessions", async () => {
    const granted = await platform.post(admins, { user: person.userId });
    expect(granted.status).toBe(204);
    expect((await as(person).get('/api/auth/me/')).body.code).toBe('session_ended');
    const { client } = await aNativeClient(api.url, person.email);
    expect((await client.get(`${admins}?page_size=100`)).body.results).toContainEqual({
      user: person.userId,
      email: person.email,
      first_name: 'First',
      last_name: expect.any(String),
      is_disabled: false,
    });
    expect((await platform.post(admins, { user: person.userId })).body.code).toBe('duplicate');

    expect((await platform.delete(`${admins}${person.userId}/`)).status).toBe(204);
    expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
    expect((await platform.delete(`${admins}${person.userId}/`)).status).toBe(404);
    const events = await asOwner(
      "SELECT kind, details FROM security_events WHERE user_id = $1 AND kind LIKE 'platform_admin%' ORDER BY id",
      [person.userId],
    );
    expect(events).toEqual([
      { kind: 'platform_admin.granted', details: { by: platformId } },
      { kind: 'platform_admin.revoked', details: { by: platformId } },
    ]);
  });

  test('only existing people who are not disabled become platform admins', async () => {
    const disabled = await aUser();
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled]);
    for (const user of [randomUUID(), disabled, 'nonsense'])
      expect((await platform.post(admins, { user })).body.errors).toHaveProperty('user');
  });

  test('of two platform admins who remove or disable each other at once, one stays', async () => {
    const [one, other] = [await aPlatformAdmin(), await aPlatformAdmin()];
    await asOwner('UPDATE users SET is_platform_admin = false WHERE id <> ALL ($1::uuid[])', [
      [one.userId, other.userId],
    ]);
    try {
      const answers = await Promise.all([
        as(one).delete(`${admins}${other.userId}/`),
        as(other).post(`/api/platform/users/${one.userId}/disable/`),
      ]);
      const remaining = await asOwner<{ id: string }>(
        'SELECT id FROM users WHERE is_platform_admin AND disabled_at IS NULL',
      );
      expect(remaining).toHaveLength(1);
      // The slower request finds its session ended, or is refused.
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
      const last = remaining[0] as { id: string };
      const client = as(last.id === one.userId ? one : other);
      expect((await client.delete(`${admins}${last.id}/`)).body).toMatchObject({ code: 'last_admin' });
      expect((await client.post(`/api/platform/users/${last.id}/disable/`)).status).toBe(409);
    } finally {
      await asOwner('UPDATE users SET is_platform_admin = true, disabled_at = NULL WHERE id = $1', [platformId]);
    }
  });
});

describe('people on the platform', () => {
  const users = '/api/platform/users/';
  const find = async (q: string) => (await platform.get(`${users}?q=${encodeURIComponent(q)}`)).body;

  test('people are found by the beginning of an address or a name in every organization', async () => {
    const name = `Zq${Date.now().toString(36)}`;
    await asOwner('UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1', [
      person.userId,
      `${name}ina`,
      `O'${name}`,
    ]);
    const second = `${name.toLowerCase()}-second@example.org`;
    await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [
      person.userId,
      second,
    ]);
    for (const q of [name, name.toUpperCase(), `${name}ina O'`, `O'${name}`, second, person.email]) {
      expect((await find(q)).results).toEqual([
        {
          id: person.userId,
          email: person.email,
          first_name: `${name}ina`,
          last_name: `O'${name}`,
          is_platform_admin: false,
          is_disabled: false,
          must_change_password: false,
          created_at: expect.any(String),
          organizations: [{ id: world.organizationId, name: expect.any(String), slug: world.slug }],
        },
      ]);
    }
    for (const q of [name.slice(1), '%%', '__', `${name}%`]) expect((await find(q)).count).toBe(0);
  });

  test('people are listed in pages, and a search needs at least two letters', async () => {
    const { body } = await platform.get(`${users}?page_size=2`);
    expect(body.results).toHaveLength(2);
    expect(body.next).toContain('page=2');
    expect((await platform.get(`${users}?q=a`)).body.errors).toHaveProperty('q');
    expect((await platform.get(`${users}?q=zzzzzzzz&page=2`)).body.code).toBe('page_not_found');
  });

  test('a search while typing finds at most 25 people, names before addresses, each once', async () => {
    const typed = async (q: string) =>
      (await platform.get(`/api/platform/user-search/?q=${encodeURIComponent(q)}`)).body;
    const name = `Wq${Date.now().toString(36)}`;
    await asOwner('UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1', [
      person.userId,
      name,
      `${name}son`,
    ]);
    await asOwner(
      `INSERT INTO users (email, first_name, last_name)
       SELECT $1 || n || '@example.org', 'Typed', 'Person' FROM generate_series(10, 39) AS n`,
      [name.toLowerCase()],
    );
    await asOwner(
      `INSERT INTO users (placeholder_in, typed_email, first_name, last_name, disabled_at) VALUES ($1, $2, $3, 'Waits', now())`,
      [world.organizationId, `${name.toLowerCase()}-typed@example.org`, name],
    );
    await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [
      person.userId,
      `${name.toLowerCase()}-second@example.org`,
    ]);
    const found = await typed(name.toUpperCase());
    expect(found).toHaveLength(25);
    expect(found.slice(0, 2)).toEqual([
      {
        id: person.userId,
        email: person.email,
        first_name: name,
        last_name: `${name}son`,
        is_platform_admin: false,
        is_disabled: false,
      },
      expect.objectContaining({ email: `${name.toLowerCase()}10@example.org` }),
    ]);
    expect((await typed(`${name}son ${name}`)).map(({ id }: { id: string }) => id)).toEqual([person.userId]);
    expect((await typed(`${name}-second`)).map(({ id }: { id: string }) => id)).toEqual([person.userId]);
    expect(await typed('%%')).toEqual([]);
    for (const query of ['', '?q=a', `?q=${'x'.repeat(101)}`])
      expect((await platform.get(`/api/platform/user-search/${query}`)).body.errors).toHaveProperty('q');
  });

  test('people and admins are listed in one statement at any number', async () => {
    const counts = async () => [
      await countStatements(() => platform.get(`${users}?page_size=1`)),
      await countStatements(() => platform.get(`${users}?page_size=50`)),
      await countStatements(() => platform.get('/api/platform/admins/?page_size=50')),
      await countStatements(() => platform.get('/api/platform/user-search/?q=first')),
    ];
    await counts();
    expect(await counts()).toEqual([3, 3, 3, 3]);
  });

  test('a disabled person loses sessions and log-in and is notified, and enabling restores both', async () => {
    const path = (action: string) => `${users}${person.userId}/${action}/`;
    expect((await platform.post(path('disable'))).body).toMatchObject({ id: person.userId, is_disabled: true });
    expect((await as(person).get('/api/auth/me/')).body.code).toBe('session_ended');
    expect((await logIn(new Client(api.url), { email: person.email })).status).toBe(401);
    expect((await platform.post(path('disable'))).status).toBe(200);
    expect((await platform.post(path('enable'))).body.is_disabled).toBe(false);
    expect((await logIn(new Client(api.url), { email: person.email })).status).toBe(200);
    expect((await as(person).get('/api/auth/me/')).body.code).toBe('session_ended');

    const kinds = await asOwner<{ kind: string }>(
      "SELECT kind FROM account_notices WHERE user_id = $1 AND kind LIKE 'account_%' ORDER BY id",
      [person.userId],
    );
    expect(kinds).toEqual([{ kind: 'account_disabled' }, { kind: 'account_enabled' }]);
    for (const id of [randomUUID(), 'nonsense'])
      expect((await platform.post(`${users}${id}/disable/`)).status).toBe(404);
  });

  describe('the only administrator of an organization', () => {
    const disable = (userId: string, body?: object) => platform.post(`${users}${userId}/disable/`, body);
    const withoutAdmin = async (is = true): Promise<string[]> => {
      const { body } = await platform.get(`/api/organizations/?without_admin=${is}&page_size=100&ordering=-created_at`);
      return body.results.map(({ id }: { id: string }) => id);
    };
    const logged = async (organizationId: string) =>
      asOwner(
        `SELECT actor_user_id, subject_type, subject_id, after FROM ${AUDIT_LOG}
          WHERE organization_id = $1 AND action = 'organization.left_without_admin'`,
        [organizationId],
      );

    test('disabling the only administrator is refused with the names of the organizations', async () => {
      const [tenant, second] = [await aWorld({ members: 1 }), await aWorld({ members: 1 })];
      const { userId } = tenant.admin;
      await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
        second.organizationId,
        userId,
      ]);
      expect(await disable(userId)).toMatchObject({
        status: 409,
        body: { code: 'last_admin', errors: { organizations: [expect.stringContaining(`(${tenant.slug})`)] } },
      });
      await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [second.admin.userId]);
      const { body } = await disable(userId);
      expect(body.errors.organizations).toHaveLength(2);
      expect(body.detail).toContain(second.slug);
      expect((await as(tenant.admin).get('/api/auth/me/')).status).toBe(200);
      expect(await withoutAdmin()).not.toContain(tenant.organizationId);
      expect(await withoutAdmin(false)).toContain(tenant.organizationId);
    });

    test('disabling the only administrator with the flag and a reason is logged by each organization and listed', async () => {
      const [tenant, second] = [await aWorld({ members: 1 }), await aWorld({ members: 1 })];
      const { userId } = tenant.admin;
      await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
        second.organizationId,
        userId,
      ]);
      const inside = new Client(api.url, {
        token: platform.token as string,
        headers: { 'X-Organization-Id': world.organizationId },
      });
      const leaving = { leave_without_admin: true, reason: 'The account was stolen.' };
      expect((await inside.post(`${users}${userId}/disable/`, leaving)).body).toMatchObject({ is_disabled: true });
      expect((await as(tenant.admin).get('/api/auth/me/')).body.code).toBe('session_ended');
      expect(await logged(tenant.organizationId)).toEqual([
        {
          actor_user_id: platformId,
          subject_type: 'user',
          subject_id: userId,
          after: { reason: 'The account was stolen.' },
        },
      ]);
      // The second organization has another administrator.
      expect([...(await logged(second.organizationId)), ...(await logged(world.organizationId))]).toEqual([]);
      const listed = await withoutAdmin();
      expect([listed.includes(tenant.organizationId), listed.includes(second.organizationId)]).toEqual([true, false]);

      const there = new Client(api.url, {
        token: platform.token as string,
        headers: { 'X-Organization-Id': tenant.organizationId },
      });
      const admins = `/api/organizations/${tenant.organizationId}/admins/`;
      const [office] = (await there.get(admins)).body.results;
      expect((await there.patch(`${admins}${office.id}/`, { is_active: false })).status).toBe(200);
      await there.post(admins, { email: tenant.member.email });
      expect(await withoutAdmin()).not.toContain(tenant.organizationId);
    });

    test.each([
      ['a wish without a reason', { leave_without_admin: true }],
      ['a reason without the wish', { reason: 'Stolen' }],
      ['an empty reason', { leave_without_admin: true, reason: ' ' }],
      ['a reason of more than 1000 letters', { leave_without_admin: true, reason: 'x'.repeat(1001) }],
    ])('%s is refused', async (_what, body) => {
      const refused = await disable(person.userId, body);
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['reason']]);
    });

    test('of two administrators disabled at once one stays', async () => {
      for (const other of ['disable', 'deactivate'] as const) {
        const tenant = await aWorld({ members: 1 });
        const [office] = await asOwner<{ id: string }>(
          'INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2) RETURNING id',
          [tenant.organizationId, tenant.member.userId],
        );
        const there = as(tenant.admin);
        const ways = {
          disable: () => disable(tenant.member.userId),
          deactivate: () =>
            there.patch(`/api/organizations/${tenant.organizationId}/admins/${office?.id}/`, { is_active: false }),
        };
        const answers = await Promise.all([disable(tenant.admin.userId), ways[other]()]);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(await withoutAdmin()).not.toContain(tenant.organizationId);
      }
    });

    test("other people cannot search the platform's users", async () => {
      for (const somebody of [world.admin, world.member])
        expect((await as(somebody).get('/api/organizations/?without_admin=true')).status).toBe(403);
    });
  });

  test('an erased account cannot be enabled again', async () => {
    await asOwner(
      "INSERT INTO account_deletions (user_id, status, erases_at, closed_at) VALUES ($1, 'erased', now(), now())",
      [person.userId],
    );
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [person.userId]);
    expect((await platform.post(`${users}${person.userId}/enable/`)).body.code).toBe('account_erased');
  });
});

test('the session of a platform admin belongs to no organization', async () => {
  const token = await signIn(platformId, null);
  expect((await new Client(api.url, { token }).get('/api/auth/me/')).body.organization).toBeNull();
});
