import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { processorTime } from '../../support/processorTime.js';
import { aMember, aPlatformAdmin, aUser } from '../../support/world.js';
import { aNativeClient, forgetAttempts, givePassword, logIn, PASSWORD } from './accounts.support.js';

const { api, world, other } = apiWorld();
beforeAll(async () => {
  for (const person of [world.member, world.admin, world.officer]) await givePassword(person.userId);
});
beforeEach(forgetAttempts);

const client = () => new Client(api.url);
const emailOf = async (userId: string) =>
  (await asOwner<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]))[0]?.email as string;

describe('transport of tokens', () => {
  test('a browser gets both tokens as HttpOnly cookies and none in the body', async () => {
    const browser = client();
    const { status, body, headers } = await logIn(browser, { email: world.member.email });
    expect(status).toBe(200);
    const cookies = headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^(access|refresh)_token=/);
      expect(cookie).toMatch(/; Path=\/;.*HttpOnly.*SameSite=Lax/);
      expect(cookie).not.toContain('Secure');
    }
    expect(cookies[0]).toContain('Max-Age=1800');
    expect(cookies[1]).toContain('Max-Age=86400');
    expect(body).toEqual({
      user: {
        id: world.member.userId,
        email: world.member.email,
        first_name: 'First',
        last_name: expect.any(String),
        is_platform_admin: false,
        must_change_password: false,
      },
      organization: { id: world.organizationId, name: expect.any(String), slug: world.slug },
    });
    expect((await browser.get('/api/auth/me/')).status).toBe(200);
  });

  test('a native client gets both tokens in the body and no cookies', async () => {
    const { body, headers } = await client().post(
      '/api/auth/login/',
      { email: world.member.email, password: PASSWORD },
      { 'X-Client': 'native' },
    );
    expect(body).toMatchObject({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 1800,
    });
    expect(headers.getSetCookie()).toEqual([]);
    expect((await new Client(api.url, { token: body.access_token }).get('/api/auth/me/')).body.session.client).toBe(
      'native',
    );
  });

  test('the answer forbids storing and contains no hash', async () => {
    const { headers, body } = await logIn(client(), { email: world.member.email });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(JSON.stringify(body)).not.toContain('argon2');
  });
});

describe('finding the account by an address', () => {
  test('log-in ignores case and surrounding blanks of the address', async () => {
    expect((await logIn(client(), { email: ` ${world.member.email.toUpperCase()} ` })).status).toBe(200);
  });

  test("a verified address wins over another person's primary one, and an unverified one does not count", async () => {
    const [verified, claimed] = [
      await aMember(world.organizationId, world.chapterId),
      await aMember(world.organizationId, world.chapterId),
    ];
    await givePassword(verified.userId);
    await givePassword(claimed.userId);
    await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [
      verified.userId,
      claimed.email,
    ]);
    expect((await logIn(client(), { email: claimed.email })).body.user.id).toBe(verified.userId);

    await asOwner('UPDATE user_emails SET is_verified = false WHERE user_id = $1', [verified.userId]);
    expect((await logIn(client(), { email: claimed.email })).body.user.id).toBe(claimed.userId);
  });
});

describe('choosing the organization', () => {
  test('log-in opens the requested organization, by slug or id', async () => {
    for (const organization of [world.slug, world.organizationId, world.slug.toUpperCase()]) {
      expect((await logIn(client(), { email: world.officer.email, organization })).body.organization.id).toBe(
        world.organizationId,
      );
    }
  });

  test('log-in opens the last used organization, or else the oldest that gives access', async () => {
    const person = await aMember(other.organizationId, other.chapterId);
    await givePassword(person.userId);
    await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
      world.organizationId,
      person.userId,
      world.chapterId,
    ]);
    expect((await logIn(client(), { email: person.email })).body.organization.id).toBe(other.organizationId);

    await logIn(client(), { email: person.email, organization: world.slug });
    expect((await logIn(client(), { email: person.email })).body.organization.id).toBe(world.organizationId);

    await asOwner("UPDATE memberships SET status = 'inactive' WHERE user_id = $1 AND organization_id = $2", [
      person.userId,
      world.organizationId,
    ]);
    expect((await logIn(client(), { email: person.email })).body.organization.id).toBe(other.organizationId);
  });

  test('after the password is proven, an organization without access is refused like an unknown one', async () => {
    const answers = await Promise.all(
      [other.slug, other.organizationId, 'no-such-organization'].map((organization) =>
        logIn(client(), { email: world.member.email, organization }),
      ),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(403);
      expect(body.code).toBe('organization_forbidden');
    }
  });

  test('admins log in without a membership, and platform admins log in without an organization', async () => {
    const userId = await aUser();
    await givePassword(userId);
    await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
      world.organizationId,
      userId,
    ]);
    expect((await logIn(client(), { email: await emailOf(userId) })).body.organization.id).toBe(world.organizationId);

    const platform = await aPlatformAdmin();
    await givePassword(platform.userId);
    const email = await emailOf(platform.userId);
    expect((await logIn(client(), { email })).body).toMatchObject({
      organization: null,
      user: { is_platform_admin: true },
    });
    expect((await logIn(client(), { email, organization: world.slug })).status).toBe(200);
    expect((await logIn(client(), { email, organization: 'nowhere' })).status).toBe(403);
  });
});

describe('refusals that look the same', () => {
  const refused = async (email: string, password?: string) => {
    const { status, body, headers } = await logIn(client(), { email, password });
    return { status, body, cookies: headers.getSetCookie() };
  };

  test('log-in refuses unknown, disabled, passwordless and accessless accounts and wrong passwords with the same answer', async () => {
    const disabled = await aMember(world.organizationId, world.chapterId);
    await givePassword(disabled.userId);
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.userId]);
    const passwordless = await aMember(world.organizationId, world.chapterId);
    const withoutAccess: string[] = [];
    for (const status of ['pnm', 'disaffiliated', 'inactive']) {
      const person = await aMember(world.organizationId, world.chapterId, 'member', status);
      await givePassword(person.userId);
      withoutAccess.push(person.email);
    }
    const answers = [
      await refused('nobody@example.org'),
      await refused('not an address'),
      await refused(world.member.email, 'not the password'),
      await refused(world.member.email, ''),
      await refused('nobody@example.org', ''),
      await refused(disabled.email),
      await refused(passwordless.email),
      await refused(passwordless.email, ''),
      ...(await Promise.all(withoutAccess.map((email) => refused(email)))),
    ];
    for (const answer of answers) {
      expect(answer).toEqual({
        status: 401,
        body: { code: 'invalid_credentials', detail: 'The e-mail address or the password is wrong.' },
        cookies: [],
      });
    }
  });

  test('refusals take about the same processor time', async () => {
    const passwordless = await aMember(world.organizationId, world.chapterId);
    const kinds = [
      [world.officer.email, 'not the password'],
      ['stranger@example.org', 'not the password'],
      ['stranger2@example.org', ''],
      [passwordless.email, 'not the password'],
    ] as const;
    // Most of it is one verification of a hash, which runs for every attempt.
    const costs: number[] = [];
    for (const [email, password] of kinds) costs.push(await processorTime(() => refused(email, password), 6));
    expect(Math.max(...costs)).toBeLessThan(3 * Math.min(...costs));
  });

  test.each([
    ['a missing password', { email: 'a@example.org' }, 'password'],
    ['a missing address', { password: 'x' }, 'email'],
    ['an empty address', { email: '', password: 'x' }, 'email'],
    ['an address of the wrong type', { email: ['a@example.org'], password: 'x' }, 'email'],
    ['an endless password', { email: 'a@example.org', password: 'x'.repeat(1025) }, 'password'],
    ['a NUL character', { email: 'a\0@example.org', password: 'x' }, 'email'],
    ['an unknown field', { email: 'a@example.org', password: 'x', remember: true }, 'remember'],
    ['an organization of the wrong type', { email: 'a@example.org', password: 'x', organization: 7 }, 'organization'],
  ])('%s is a 400 that names the field', async (_name, body, field) => {
    const { status, body: answer } = await client().post('/api/auth/login/', body);
    expect(status).toBe(400);
    expect(Object.keys(answer.errors)).toEqual([field]);
  });
});

test('disabling an account ends its existing session', async () => {
  const person = await aMember(world.organizationId, world.chapterId);
  await givePassword(person.userId);
  const { client: native } = await aNativeClient(api.url, person.email);
  await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [person.userId]);
  expect((await native.get('/api/auth/me/')).body.code).toBe('session_ended');
});
