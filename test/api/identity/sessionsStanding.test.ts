import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { config } from '../../../config.js';
import { withoutRule } from '../../../api/http/policy.js';
import { get } from '../../../api/http/routes.js';
import { identityRoutes } from '../../../api/identity/index.js';
import { currentOrganization } from '../../../models/database/rows.js';
import { signToken } from '../../../models/identity/tokens.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aPlatformAdmin, aWorld, type Person, signIn } from '../../support/world.js';

const rule = withoutRule('a probe');

/** Any route of an organization. */
const probe = get(
  '/api/probe/',
  { summary: 'Where am I', access: 'tenant', rule, response: z.object({ organization: z.uuid() }) },
  () => Promise.resolve({ organization: currentOrganization() }),
);

let person: Person;

const { api, world, other } = apiWorld({ routes: [...identityRoutes, probe] });
beforeEach(async () => {
  person = await aMember(world.organizationId, world.chapterId);
});

const ask = async (token: string, headers?: Record<string, string>) => {
  const { status, body } = await new Client(api.url, { token, ...(headers && { headers }) }).get('/api/probe/');
  return { status, said: body.organization ?? body.code };
};
const named = (id: string) => ({ 'X-Organization-Id': id });
const sessionIdOf = async (userId: string) =>
  (await asOwner<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1', [userId]))[0]?.id as string;

test('the organization of a request is that of its token', async () => {
  expect(await ask(person.token)).toEqual({ status: 200, said: world.organizationId });
});

test('a revoked session ends with the next request', async () => {
  await asOwner('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [person.userId]);
  expect(await ask(person.token)).toEqual({ status: 401, said: 'session_ended' });
});

test('a session past its end is refused', async () => {
  await asOwner('UPDATE sessions SET expires_at = now() WHERE user_id = $1', [person.userId]);
  expect(await ask(person.token)).toEqual({ status: 401, said: 'session_ended' });
});

test('a disabled user is refused with the next request', async () => {
  await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [person.userId]);
  expect(await ask(person.token)).toEqual({ status: 401, said: 'session_ended' });
});

test.each(['pnm', 'disaffiliated', 'inactive'])(
  'a member who becomes %s is refused with the next request',
  async (status) => {
    await asOwner('UPDATE memberships SET status = $2 WHERE id = $1', [person.membershipId, status]);
    expect(await ask(person.token)).toEqual({ status: 401, said: 'membership_ended' });
    await asOwner("UPDATE memberships SET status = 'alumni' WHERE id = $1", [person.membershipId]);
    expect((await ask(person.token)).status).toBe(200);
  },
);

test('admins without a membership keep access as long as their role is active', async () => {
  for (const [table, values] of [
    ['organization_admins', '(organization_id, user_id) VALUES ($1, $2)'],
    [
      'regional_admins',
      `(organization_id, user_id, region_id, role) VALUES ($1, $2, '${world.regionId}', 'coordinator')`,
    ],
  ]) {
    const admin = await aMember(world.organizationId, world.chapterId, 'member', 'inactive');
    expect((await ask(admin.token)).said).toBe('membership_ended');
    await asOwner(`INSERT INTO ${table} ${values}`, [world.organizationId, admin.userId]);
    expect((await ask(admin.token)).status).toBe(200);
    await asOwner(`UPDATE ${table} SET is_active = false WHERE user_id = $1`, [admin.userId]);
    expect((await ask(admin.token)).said).toBe('membership_ended');
  }
});

test('members of a suspended organization are refused with the next request', async () => {
  const suspended = await aWorld();
  await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [suspended.organizationId]);
  expect(await ask(suspended.member.token)).toEqual({ status: 401, said: 'membership_ended' });
});

test('platform admins must name the organization', async () => {
  const { token } = await aPlatformAdmin();
  expect(await ask(token)).toEqual({ status: 400, said: 'organization_required' });
  expect(await ask(token, named(other.organizationId))).toEqual({ status: 200, said: other.organizationId });
  expect(await ask(token, named(randomUUID()))).toEqual({ status: 404, said: 'not_found' });
  expect((await ask(token, named("' OR 1=1 --"))).status).toBe(400);
});

test("other people cannot name another organization than their session's, not even one of their own", async () => {
  expect((await ask(person.token, named(world.organizationId))).status).toBe(200);
  expect(await ask(person.token, named(other.organizationId))).toEqual({ status: 403, said: 'organization_forbidden' });
  await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    other.organizationId,
    person.userId,
    other.chapterId,
  ]);
  expect(await ask(person.token, named(other.organizationId))).toEqual({ status: 403, said: 'organization_forbidden' });
});

test('a token for an organization without the person opens nothing there', async () => {
  expect(await ask(await signIn(person.userId, other.organizationId))).toEqual({
    status: 401,
    said: 'membership_ended',
  });
});

test("a token of one person does not use another person's session", async () => {
  const [claims] = [{ sub: other.member.userId, sid: await sessionIdOf(person.userId), org: world.organizationId }];
  expect(await ask(signToken({ ...claims, typ: 'access' }, 60))).toEqual({ status: 401, said: 'session_ended' });
});

test('a refresh token is no access token, and a token of an unknown key is refused', async () => {
  const claims = { sub: person.userId, sid: await sessionIdOf(person.userId), org: world.organizationId };
  expect(await ask(signToken({ ...claims, typ: 'refresh', jti: randomUUID() }, 60))).toEqual({
    status: 401,
    said: 'token_invalid',
  });
  const ring = config.JWT_KEYS.splice(0, Infinity, { id: 'next', secret: 'the-next-secret-of-the-ring-0000000' });
  const future = signToken({ ...claims, typ: 'access' }, 60);
  config.JWT_KEYS.push(...ring);
  expect((await ask(future)).status).toBe(200);
  config.JWT_KEYS.shift();
  expect(await ask(future)).toEqual({ status: 401, said: 'token_invalid' });
});

test('the cookie takes precedence over the bearer token', async () => {
  const browser = new Client(api.url);
  browser.setCookie('access_token', person.token);
  const { body } = await browser.get('/api/auth/me/', { Authorization: `Bearer ${world.admin.token}` });
  expect(body.user.id).toBe(person.userId);
});

test('a list is one statement for any number of rows', async () => {
  const client = new Client(api.url, { token: person.token });
  const counts = async () => [
    await countStatements(() => client.get('/api/auth/sessions/')),
    await countStatements(() => client.get('/api/auth/me/organizations/')),
  ];
  await counts();
  const few = await counts();
  for (let n = 0; n < 5; n += 1) await signIn(person.userId, world.organizationId);
  await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    other.organizationId,
    person.userId,
    other.chapterId,
  ]);
  // The three are BEGIN with the actor, the list, and COMMIT.
  expect(few).toEqual([3, 3]);
  expect(await counts()).toEqual(few);
});
