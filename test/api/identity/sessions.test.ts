import { randomUUID } from 'node:crypto';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { eventually } from '../../support/platform.js';
import { aMember, aPlatformAdmin, type Person, signIn, type World } from '../../support/world.js';
import { aBrowser, aNativeClient, forgetAttempts, givePassword, inOrder, logIn } from './accounts.support.js';

let person: Person;

const { api, world, other } = apiWorld();
beforeEach(forgetAttempts);
beforeEach(async () => {
  person = await aMember(world.organizationId, world.chapterId);
  await givePassword(person.userId);
});

const as = (token: string, headers?: Record<string, string>) =>
  new Client(api.url, { token, ...(headers && { headers }) });
const alsoIn = (userId: string, { organizationId, chapterId }: World) =>
  asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    organizationId,
    userId,
    chapterId,
  ]);

test.each<[string, (client: Client) => ReturnType<Client['post']>]>([
  ['adds no address', (client) => client.post('/api/auth/emails/', { email: 'somebody.else@example.org' })],
  ['makes no other address primary', (client) => client.post(`/api/auth/emails/${randomUUID()}/make-primary/`)],
  ['removes no passkey', (client) => client.delete(`/api/auth/passkeys/${randomUUID()}/`)],
  ['asks for no deletion', (client) => client.post('/api/auth/me/deletion/')],
])('a session that is ended while its request waits %s', async (_name, act) => {
  const [own, stolen] = [await aNativeClient(api.url, person.email), await aNativeClient(api.url, person.email)];
  const calls = [() => own.client.post('/api/auth/sessions/revoke-others/'), () => act(stolen.client)];
  const [ended, tried] = await inOrder(person.userId, calls);
  expect([ended?.status, tried?.status, tried?.body.code]).toEqual([200, 401, 'session_ended']);
});

describe('log-out', () => {
  test('log-out ends the session at once and clears the cookies', async () => {
    const browser = await aBrowser(api.url, person.email);
    const token = browser.cookie('access_token') as string;
    const { status, headers } = await browser.post('/api/auth/logout/');
    expect(status).toBe(204);
    expect(headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual(['access_token', 'refresh_token']);
    expect(browser.cookie('access_token')).toBeUndefined();
    expect((await as(token).get('/api/auth/me/')).body.code).toBe('session_ended');
  });

  test('log-out accepts the refresh token without an access token', async () => {
    const { client, refreshToken } = await aNativeClient(api.url, person.email);
    expect((await new Client(api.url).post('/api/auth/logout/', { refresh_token: refreshToken })).status).toBe(204);
    expect((await client.get('/api/auth/me/')).status).toBe(401);
  });

  test('log-out with the tokens of two sessions ends both', async () => {
    const [one, other] = [await aNativeClient(api.url, person.email), await aNativeClient(api.url, person.email)];
    expect((await one.client.post('/api/auth/logout/', { refresh_token: other.refreshToken })).status).toBe(204);
    for (const { client } of [one, other]) expect((await client.get('/api/auth/me/')).body.code).toBe('session_ended');
  });

  test('log-out requires a session', async () => {
    expect((await new Client(api.url).post('/api/auth/logout/')).body.code).toBe('not_authenticated');
    expect((await as('nonsense').post('/api/auth/logout/')).status).toBe(401);
  });
});

describe('me', () => {
  test('me shows the person with their memberships and roles', async () => {
    const { body } = await as(world.officer.token).get('/api/auth/me/');
    expect(body).toMatchObject({
      user: { id: world.officer.userId, email: world.officer.email },
      organization: { id: world.organizationId, slug: world.slug },
      is_organization_admin: false,
      regions: [],
      memberships: [{ id: world.officer.membershipId, chapter: world.chapterId, role: 'officer', status: 'undergrad' }],
    });
    expect((await as(world.admin.token).get('/api/auth/me/')).body.is_organization_admin).toBe(true);
    expect((await as(world.regionalAdmin.token).get('/api/auth/me/')).body.regions).toEqual([
      { id: world.regionId, role: 'regional_director' },
    ]);
  });

  test('me shows platform admins the organization that they name, and refuses another one to other people', async () => {
    const { token } = await aPlatformAdmin();
    expect((await as(token).get('/api/auth/me/')).body.organization).toBeNull();
    const named = (id: string) => ({ 'X-Organization-Id': id });
    expect((await as(token).get('/api/auth/me/', named(world.organizationId))).body.organization.slug).toBe(world.slug);
    expect((await as(token).get('/api/auth/me/', named(randomUUID()))).status).toBe(404);
    expect((await as(token).get('/api/auth/me/', named('nonsense'))).status).toBe(400);

    expect((await as(person.token).get('/api/auth/me/', named(world.organizationId))).status).toBe(200);
    const refused = await as(person.token).get('/api/auth/me/', named(other.organizationId));
    expect([refused.status, refused.body.code]).toEqual([403, 'organization_forbidden']);
  });

  test('me is refused after the person has lost access or was disabled', async () => {
    await asOwner("UPDATE memberships SET status = 'inactive' WHERE id = $1", [person.membershipId]);
    const { status, body } = await as(person.token).get('/api/auth/me/');
    expect([status, body.code]).toEqual([401, 'membership_ended']);
    await asOwner("UPDATE memberships SET status = 'undergrad' WHERE id = $1", [person.membershipId]);
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [person.userId]);
    expect((await as(person.token).get('/api/auth/me/')).body.code).toBe('session_ended');
  });

  test('me requires a session', async () => {
    expect((await new Client(api.url).get('/api/auth/me/')).body.code).toBe('not_authenticated');
  });
});

describe('my organizations', () => {
  test("my organizations lists, by name, the organizations that give the person access, with the person's kinds there", async () => {
    await alsoIn(person.userId, other);
    await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
      other.organizationId,
      person.userId,
    ]);
    const { body } = await as(person.token).get('/api/auth/me/organizations/');
    expect(body.count).toBe(2);
    expect(body.results).toEqual([
      { id: world.organizationId, name: expect.any(String), slug: world.slug, kinds: ['member'], is_current: true },
      {
        id: other.organizationId,
        name: expect.any(String),
        slug: other.slug,
        kinds: ['member', 'organization_admin'],
        is_current: false,
      },
    ]);
  });

  test('my organizations answers after the person has left the organization of the session, so that they can switch', async () => {
    await alsoIn(person.userId, other);
    await asOwner("UPDATE memberships SET status = 'disaffiliated' WHERE id = $1", [person.membershipId]);
    const { body } = await as(person.token).get('/api/auth/me/organizations/');
    expect(body.results.map(({ id }: { id: string }) => id)).toEqual([other.organizationId]);
    const switched = await as(person.token).post('/api/auth/switch-organization/', { organization: other.slug });
    expect(switched.status).toBe(200);
    expect((await as(switched.body.access_token).get('/api/auth/me/')).body.organization.id).toBe(other.organizationId);
  });

  test('my organizations is paginated, answers 404 beyond the last page and needs a session', async () => {
    expect((await as(person.token).get('/api/auth/me/organizations/?page=2')).body.code).toBe('page_not_found');
    expect((await as(person.token).get('/api/auth/me/organizations/?kind=member')).status).toBe(400);
    expect((await new Client(api.url).get('/api/auth/me/organizations/')).status).toBe(401);
  });
});

describe('a token whose session has ended', () => {
  const remainingOf = async (client: Client) => {
    const limit = (await client.get('/api/auth/me/')).headers.get('ratelimit') ?? '';
    return Number(/; r=(\d+)/.exec(limit)?.[1]);
  };
  let dead: string;
  beforeEach(async () => {
    const { client } = await aNativeClient(api.url, person.email);
    dead = client.token as string;
    await client.post('/api/auth/logout/');
  });

  test('a token of an ended session is charged neither to its person nor to its address in the batched throttles', async () => {
    const [live, stranger] = [as(person.token), new Client(api.url)];
    const before = [await remainingOf(live), await remainingOf(stranger)] as const;
    const request = () => as(dead).get('/api/auth/me/');
    const answers = [await request(), ...(await Promise.all(Array.from({ length: 20 }, request))), await request()];
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['session_ended']));
    expect([await remainingOf(live), await remainingOf(stranger)]).toEqual([before[0] - 1, before[1] - 1]);
  });

  test('a token of an ended session is not charged to its person in an exact throttle', async () => {
    const hits = () =>
      asOwner(`SELECT hits FROM throttles WHERE scope = 'email_verification' AND key = $1 AND hits > 0`, [
        `user:${person.userId}`,
      ]);
    const add = () => as(dead).post('/api/auth/emails/', { email: 'new@example.org' });
    expect((await Promise.all([add(), add(), add()])).map(({ status }) => status)).toEqual([401, 401, 401]);
    await eventually(hits, (rows) => rows.length === 0);
  });

  test('a token of an ended session shares the anonymous budget at a public route', async () => {
    const path = '/api/auth/passkeys/authenticate/complete/';
    await Promise.all(Array.from({ length: 31 }, () => as(dead).post(path, {})));
    for (const caller of [as(dead), as(person.token), new Client(api.url)]) {
      expect((await caller.post(path, {})).status).toBe(429);
    }
    expect(await asOwner('SELECT 1 FROM throttles WHERE key = $1 AND hits > 0', [`user:${person.userId}`])).toEqual([]);
  });
});

describe('switching the organization', () => {
  test('a switch moves the session, uses up its refresh token, and is remembered', async () => {
    await alsoIn(person.userId, other);
    const browser = await aBrowser(api.url, person.email, world.slug);
    const oldRefresh = browser.cookie('refresh_token') as string;
    const { status, body } = await browser.post('/api/auth/switch-organization/', {
      organization: other.organizationId,
    });
    expect(status).toBe(200);
    expect(body).toEqual({ organization: { id: other.organizationId, name: expect.any(String), slug: other.slug } });
    expect((await browser.get('/api/auth/me/')).body.organization.id).toBe(other.organizationId);

    expect((await browser.post('/api/auth/token/refresh/')).status).toBe(200);
    expect((await browser.get('/api/auth/me/')).body.organization.id).toBe(other.organizationId);
    const again = await new Client(api.url).post('/api/auth/token/refresh/', { refresh_token: oldRefresh });
    expect(again.body.code).toBe('refresh_token_reused');

    const next = await aBrowser(api.url, person.email);
    expect((await next.get('/api/auth/me/')).body.organization.id).toBe(other.organizationId);
  });

  test('a switch invalidates earlier access tokens for good and leaves other devices as they are', async () => {
    await alsoIn(person.userId, other);
    const elsewhere = await aNativeClient(api.url, person.email);
    const { client } = await aNativeClient(api.url, person.email);
    const [first, there] = [client.token as string, { organization: other.slug }];
    const second = (await client.post('/api/auth/switch-organization/', there)).body.access_token as string;
    const answers = async (token: string) => {
      const { status, body } = await as(token).get('/api/auth/me/');
      return status === 200 ? body.organization.slug : body.code;
    };
    expect([await answers(first), await answers(second)]).toEqual(['token_superseded', other.slug]);
    expect((await as(first).get(`/api/chapters/${world.chapterId}/`)).body.code).toBe('token_superseded');
    expect((await as(first).post('/api/auth/switch-organization/', there)).body.code).toBe('token_superseded');

    const back = await as(second).post('/api/auth/switch-organization/', { organization: world.slug });
    expect(await Promise.all([first, second, back.body.access_token as string].map(answers))).toEqual([
      'token_superseded',
      'token_superseded',
      world.slug,
    ]);
    const { body } = await new Client(api.url).post('/api/auth/token/refresh/', {
      refresh_token: back.body.refresh_token,
    });
    expect(await answers(body.access_token)).toBe(world.slug);
    expect(await answers(elsewhere.client.token as string)).toBe(world.slug);
  });

  test('a switch succeeds beside a concurrent refresh of the same session, in either order', async () => {
    await alsoIn(person.userId, other);
    for (let round = 0; round < 12; round += 1) {
      await forgetAttempts();
      const native = new Client(api.url, { headers: { 'X-Client': 'native' } });
      const { body } = await logIn(native, { email: person.email });
      native.token = body.access_token;
      const [switched, refreshed] = await Promise.all([
        native.post('/api/auth/switch-organization/', { organization: other.slug }),
        new Client(api.url).post('/api/auth/token/refresh/', { refresh_token: body.refresh_token }),
      ]);
      expect([200, 401]).toContain(refreshed.status);
      // The second use of a token ends the session, and a concurrent switch then finds no session.
      if (switched.status !== 200) expect(switched.body.code).toBe('session_ended');
    }
  });

  test("a switch to another's or an unknown organization is refused, and so is one by a platform admin", async () => {
    for (const organization of [other.slug, other.organizationId, randomUUID(), 'nowhere']) {
      const { status, body } = await as(person.token).post('/api/auth/switch-organization/', { organization });
      expect([status, body.code]).toEqual([403, 'organization_forbidden']);
    }
    const { token } = await aPlatformAdmin();
    expect((await as(token).post('/api/auth/switch-organization/', { organization: other.slug })).status).toBe(403);
    expect((await as(person.token).post('/api/auth/switch-organization/', {})).body.errors).toEqual({
      organization: ['Required.'],
    });
    expect(
      (await new Client(api.url).post('/api/auth/switch-organization/', { organization: other.slug })).status,
    ).toBe(401);
  });
});

describe('the list of sessions', () => {
  test("the list shows the person's own live sessions and marks the current one", async () => {
    const { client } = await aNativeClient(api.url, person.email);
    await aNativeClient(api.url, person.email).then(({ client: former }) => former.post('/api/auth/logout/'));
    const { body } = await client.get('/api/auth/sessions/');
    expect(body.count).toBe(2);
    expect(body.results[0]).toMatchObject({
      client: 'native',
      is_current: true,
      ip_address: expect.any(String),
      user_agent: expect.any(String),
      organization: world.organizationId,
      auth_method: 'password',
      auth_time: expect.any(String),
    });
    expect(body.results[1].is_current).toBe(false);

    const first = await client.get('/api/auth/sessions/?page_size=1');
    expect(first.body.results).toHaveLength(1);
    expect(first.body.next).toContain('page=2');
    expect((await client.get('/api/auth/sessions/?page=3')).status).toBe(404);
  });

  test('a person ends their own sessions one by one, each only once', async () => {
    const { client } = await aNativeClient(api.url, person.email);
    const victim = await signIn(person.userId, world.organizationId);
    const id = (await as(victim).get('/api/auth/me/')).body.session.id as string;
    expect((await as(world.member.token).delete(`/api/auth/sessions/${id}/`)).status).toBe(404);
    expect((await as(victim).get('/api/auth/me/')).status).toBe(200);

    expect((await client.delete(`/api/auth/sessions/${id}/`)).status).toBe(204);
    expect((await as(victim).get('/api/auth/me/')).body.code).toBe('session_ended');
    for (const unknown of [id, randomUUID(), 'nonsense'])
      expect((await client.delete(`/api/auth/sessions/${unknown}/`)).status).toBe(404);
    const events = await asOwner(
      "SELECT session_id FROM security_events WHERE user_id = $1 AND kind = 'session.revoked'",
      [person.userId],
    );
    expect(events).toEqual([{ session_id: id }]);
    const logged = await asOwner(
      "SELECT actor_user_id FROM audit_log WHERE subject_id = $1 AND action = 'session.revoked'",
      [person.userId],
    );
    expect(logged).toEqual([{ actor_user_id: person.userId }]);
    expect((await new Client(api.url).delete(`/api/auth/sessions/${id}/`)).status).toBe(401);
  });

  test('ending the current session clears its cookies', async () => {
    const browser = await aBrowser(api.url, person.email);
    const id = (await browser.get('/api/auth/me/')).body.session.id as string;
    await browser.delete(`/api/auth/sessions/${id}/`);
    expect(browser.cookie('refresh_token')).toBeUndefined();
  });
});
