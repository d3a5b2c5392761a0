/** Tests which accounts an organization's identity provider opens: only those of its own people. */
import { config } from '../../../../config.js';
import { Client } from '../../../support/api.js';
import { anApi } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import { aMember, aUser, aVerifiedDomain, aWorld, type World } from '../../../support/world.js';
import { aConfiguration } from './oauth.support.js';
import {
  type ProviderAccount,
  type RunningProvider,
  signInByOAuth,
  startProvider,
  walk,
} from './oidcProvider.support.js';

let provider: RunningProvider;
let hostileProvider: RunningProvider;
let world: World;
let hostile: World;

let sequence = 0;
const unique = () => `${process.pid}${(sequence += 1)}`;
const account = (email: string, more: Partial<ProviderAccount> = {}): ProviderAccount => ({
  sub: `sub-${unique()}`,
  email,
  email_verified: true,
  ...more,
});

Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true, THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const api = anApi();
beforeAll(async () => {
  [world, hostile] = [await aWorld(), await aWorld()];
  [provider, hostileProvider] = [await startProvider(['own', 'closed', 'leaving']), await startProvider(['hostile'])];
  const provisioning = { auto_provision: true, provision_status: 'associate' };
  const { issuer } = provider;
  await aConfiguration(api.url, world, 'own', { issuer, ...provisioning, provision_chapter: world.chapterId });
  await aConfiguration(api.url, world, 'closed', { issuer });
  await aVerifiedDomain(world.organizationId, 'example.org');
  // The hostile organization lists the domain of all people here beside its own, and creates accounts.
  await aVerifiedDomain(hostile.organizationId, 'hostile.example');
  await aConfiguration(api.url, hostile, 'hostile', {
    issuer: hostileProvider.issuer,
    allowed_domains: ['example.org', 'hostile.example'],
    ...provisioning,
    provision_chapter: hostile.chapterId,
  });
});

afterAll(async () => {
  await Promise.all([provider.close(), hostileProvider.close()]);
});

const signIn = (slug: string, who: ProviderAccount) => signInByOAuth(new Client(api.url), { slug, who });
const errorOf = async (slug: string, who: ProviderAccount) =>
  (await walk(new Client(api.url), { slug, who })).searchParams.get('error');
const identitiesOf = (userId: string) => asOwner('SELECT subject FROM sso_identities WHERE user_id = $1', [userId]);

test('after the first match the identity identifies the account, not the address', async () => {
  const person = await aMember(world.organizationId, world.chapterId);
  const who = account(person.email);
  await signIn('own', who);
  await asOwner('UPDATE users SET email = $2 WHERE id = $1', [person.userId, `moved-${unique()}@example.org`]);
  const { status, body } = await signIn('own', { ...who, email_verified: false });
  expect([status, body.user.id, (await identitiesOf(person.userId)).length]).toEqual([200, person.userId, 1]);
});

test('a verified additional address is matched before a primary one', async () => {
  const [person, namesake] = [
    await aMember(world.organizationId, world.chapterId),
    await aMember(world.organizationId, world.chapterId),
  ];
  const email = `both-${unique()}@example.org`;
  await asOwner('UPDATE users SET email = $2 WHERE id = $1', [namesake.userId, email]);
  await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [person.userId, email]);
  expect((await signIn('own', account(email))).body.user.id).toBe(person.userId);
});

test('an unverified additional address matches no account', async () => {
  const person = await aMember(world.organizationId, world.chapterId);
  const email = `claimed-${unique()}@example.org`;
  await asOwner('INSERT INTO user_emails (user_id, email) VALUES ($1, $2)', [person.userId, email]);
  expect(await errorOf('closed', account(email))).toBe('no_account');
});

test("an admin without a membership signs in by the organization's provider", async () => {
  const email = `admin-${unique()}@example.org`;
  const userId = await aUser(email);
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    world.organizationId,
    userId,
  ]);
  expect((await signIn('own', account(email))).body.user.id).toBe(userId);
});

test('an unverified address signs no one in (nOAuth)', async () => {
  const who = account(world.officer.email, { email_verified: false });
  expect([await errorOf('own', who), await identitiesOf(world.officer.userId)]).toEqual(['email_unverified', []]);
});

test("a hostile organization that lists a victim's domain does not sign in as the victim", async () => {
  expect(await errorOf('hostile', account(world.member.email))).toBe('no_account');
  expect(await errorOf('hostile', account(world.admin.email))).toBe('no_account');
  expect([await identitiesOf(world.member.userId), await identitiesOf(world.admin.userId)]).toEqual([[], []]);
});

test("a hostile organization's audit log does not show whose address it tried", async () => {
  const logged = await asOwner('SELECT subject_id FROM audit_log WHERE organization_id = $1 AND subject_id = ANY($2)', [
    hostile.organizationId,
    [world.member.userId, world.admin.userId],
  ]);
  expect(logged).toEqual([]);
});

test('a subject of one provider is unknown at another', async () => {
  const person = await aMember(world.organizationId, world.chapterId);
  const who = account(person.email);
  await signIn('own', who);
  expect(await errorOf('hostile', who)).toBe('no_account');
  const { body } = await signIn('hostile', { ...who, email: `attacker-${unique()}@hostile.example` });
  expect(body.user.id).not.toBe(person.userId);
});

test('a platform admin cannot sign in by an identity provider', async () => {
  const email = `platform-${unique()}@example.org`;
  const userId = await aUser(email, { platformAdmin: true });
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    world.organizationId,
    userId,
  ]);
  expect([await errorOf('own', account(email)), await identitiesOf(userId)]).toEqual(['no_account', []]);
});

test('a linked person who becomes a platform admin can no longer sign in by the provider', async () => {
  const person = await aMember(world.organizationId, world.chapterId);
  const who = account(person.email);
  await signIn('own', who);
  await asOwner('UPDATE users SET is_platform_admin = true WHERE id = $1', [person.userId]);
  expect(await errorOf('own', who)).toBe('access_ended');
});

const ENDINGS: [string, (person: { userId: string; membershipId: string }) => Promise<unknown>][] = [
  ['is disabled', ({ userId }) => asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [userId])],
  [
    'has left the organization',
    ({ membershipId }) => asOwner(`UPDATE memberships SET status = 'inactive' WHERE id = $1`, [membershipId]),
  ],
];

test.each(ENDINGS)('a linked person who %s does not sign in, and it is logged', async (_, end) => {
  const person = await aMember(world.organizationId, world.chapterId);
  const who = account(person.email);
  await signIn('own', who);
  await end(person);
  expect(await errorOf('own', who)).toBe('access_ended');
  const logged = await asOwner(`SELECT kind FROM security_events WHERE user_id = $1 AND kind = 'sso.refused'`, [
    person.userId,
  ]);
  expect(logged).toHaveLength(1);
});

test.each(ENDINGS)('a person who %s between the callback and the exchange gets no session', async (_, end) => {
  const person = await aMember(world.organizationId, world.chapterId);
  const client = new Client(api.url);
  const code = (await walk(client, { slug: 'own', who: account(person.email) })).searchParams.get('code');
  await end(person);
  const { status, body } = await client.post('/api/auth/sso/exchange/', { code });
  expect([status, body.code]).toEqual([403, 'sso_access_ended']);
});

describe('a provider that is switched off or removed', () => {
  const ENDS: [string, (admin: Client, path: string) => Promise<{ status: number }>][] = [
    ['switched off', (admin, path) => admin.patch(path, { is_active: false })],
    ['removed', (admin, path) => admin.delete(path)],
  ];

  test.each(ENDS)("a provider's sessions end when it is %s, and other sessions stay", async (_, end) => {
    const { id } = await aConfiguration(api.url, world, 'leaving', { issuer: provider.issuer });
    const person = await aMember(world.organizationId, world.chapterId);
    const [theirs, others] = [new Client(api.url), new Client(api.url)];
    await signInByOAuth(theirs, { slug: 'leaving', who: account(person.email) });
    await signInByOAuth(others, { slug: 'own', who: account(person.email) });
    const admin = new Client(api.url, { token: world.admin.token });
    const path = `/api/organizations/${world.organizationId}/oauth-configurations/${id}/`;
    expect((await end(admin, path)).status).toBeLessThan(300);
    expect((await theirs.get('/api/auth/me/')).body.code).toBe('session_ended');
    expect((await others.get('/api/auth/me/')).status).toBe(200);
    expect((await new Client(api.url, { token: person.token }).get('/api/auth/me/')).status).toBe(200);
    await admin.delete(path);
  });

  test('an admin who switches a provider off or removes it stays signed in, even if it signed them in', async () => {
    const { id } = await aConfiguration(api.url, world, 'leaving', { issuer: provider.issuer });
    const admin = new Client(api.url);
    await signInByOAuth(admin, { slug: 'leaving', who: account(world.admin.email) });
    await asOwner('UPDATE sessions SET auth_time = now() WHERE user_id = $1', [world.admin.userId]);
    const path = `/api/organizations/${world.organizationId}/oauth-configurations/${id}/`;
    expect((await admin.patch(path, { is_active: false })).status).toBe(200);
    expect((await admin.delete(path)).status).toBe(204);
  });
});

test('the session belongs to the organization of the configuration, not to the last used one', async () => {
  const person = await aMember(world.organizationId, world.chapterId);
  await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    hostile.organizationId,
    person.userId,
    hostile.chapterId,
  ]);
  await asOwner('UPDATE users SET last_organization_id = $2 WHERE id = $1', [person.userId, world.organizationId]);
  const { body } = await signIn('hostile', account(person.email));
  expect([body.user.id, body.organization.id]).toEqual([person.userId, hostile.organizationId]);
});

test('a person with an unknown address becomes a member of the configured chapter', async () => {
  const email = `new-${unique()}@example.org`;
  const { body } = await signIn('own', account(email, { given_name: 'Robin', family_name: 'Reed' }));
  const made = await asOwner(
    `SELECT u.first_name, u.last_name, u.password_hash, m.organization_id, m.chapter_id, m.role, m.status,
            (SELECT count(*)::int FROM user_emails e WHERE e.user_id = u.id AND e.is_verified) AS proven
       FROM users u JOIN memberships m ON m.user_id = u.id WHERE u.id = $1 AND u.email = $2`,
    [body.user.id, email],
  );
  expect(made).toEqual([
    {
      first_name: 'Robin',
      last_name: 'Reed',
      password_hash: null,
      organization_id: world.organizationId,
      chapter_id: world.chapterId,
      role: 'member',
      status: 'associate',
      proven: 0,
    },
  ]);
});

test('a name that is too long is cut between two characters', async () => {
  const who = account(`long-${unique()}@example.org`, { given_name: '😀'.repeat(150), family_name: 'x'.repeat(150) });
  const { body } = await signIn('own', who);
  expect([body.user.first_name, body.user.last_name]).toEqual(['😀'.repeat(100), 'x'.repeat(100)]);
});

test('a configuration without auto_provision creates no account', async () => {
  const email = `uninvited-${unique()}@example.org`;
  expect(await errorOf('closed', account(email))).toBe('no_account');
  expect(await asOwner('SELECT FROM users WHERE email = $1', [email])).toEqual([]);
});

test('a sign-in adds no one to an inactive chapter', async () => {
  const status = (to: string) => asOwner('UPDATE chapters SET status = $2 WHERE id = $1', [world.chapterId, to]);
  const email = `suspended-${unique()}@example.org`;
  await status('suspended');
  expect(await errorOf('own', account(email))).toBe('no_account');
  await status('active');
  expect(await asOwner('SELECT FROM users WHERE email = $1', [email])).toEqual([]);
});

test('the person learns by mail and in their log that their account was linked', async () => {
  const person = await aMember(world.organizationId, world.chapterId);
  await signIn('own', account(person.email));
  const notices = await asOwner(`SELECT email FROM account_notices WHERE user_id = $1 AND kind = 'sso_linked'`, [
    person.userId,
  ]);
  const events = await asOwner<{ kind: string }>('SELECT kind FROM security_events WHERE user_id = $1', [
    person.userId,
  ]);
  expect([notices, events.map(({ kind }) => kind)]).toEqual([
    [{ email: person.email }],
    expect.arrayContaining(['sso.linked', 'session.started']),
  ]);
});

/** Invites a member by address. @returns the membership */
async function invited(email: string, more: object = {}) {
  const client = new Client(api.url, { token: world.admin.token });
  const member = { email, first_name: 'Typed', last_name: 'Name', ...more };
  return (await client.post(`/api/chapters/${world.chapterId}/members/`, member)).body as { id: string; user: string };
}
const memberOf = async (id: string) => {
  const client = new Client(api.url, { token: world.admin.token });
  return (await client.get(`/api/memberships/${id}/`)).body;
};

test.each(['own', 'closed'])('an invited person accepts by signing in at %s and has one membership', async (slug) => {
  const email = `invited-${unique()}@example.org`;
  const member = await invited(email);
  const { status, body } = await signIn(slug, account(email));
  expect(status).toBe(200);
  expect(await memberOf(member.id)).toMatchObject({ user: body.user.id, invitation: null, status: 'undergrad' });
  expect(await asOwner('SELECT FROM memberships WHERE user_id = $1', [body.user.id])).toHaveLength(1);
});

test("an invitation is not accepted by another's provider, an unproven address or for a membership without access", async () => {
  const email = `invited-${unique()}@example.org`;
  const member = await invited(email);
  expect(await errorOf('closed', account(email, { email_verified: false }))).toBe('email_unverified');
  expect(await errorOf('hostile', account(email))).toBe('no_account');
  expect(await memberOf(member.id)).toMatchObject({ user: member.user, invitation: { state: 'open' } });
  const prospect = `invited-${unique()}@example.org`;
  await invited(prospect, { status: 'pnm' });
  expect(await errorOf('own', account(prospect))).toBe('no_account');
  expect(await asOwner('SELECT FROM users WHERE email = $1', [prospect])).toEqual([]);
});

test('a hostile provider cannot sign in with an address outside its verified domains, invited or not', async () => {
  const [unused, invitedEmail] = [`unused-${unique()}@example.org`, `asked-${unique()}@example.org`];
  const admin = new Client(api.url, { token: hostile.admin.token });
  const typed = { first_name: 'Typed', last_name: 'Name' };
  for (const email of [invitedEmail, world.member.email])
    expect((await admin.post(`/api/chapters/${hostile.chapterId}/members/`, { email, ...typed })).status).toBe(201);
  for (const email of [unused, invitedEmail, world.member.email])
    expect([email, await errorOf('hostile', account(email))]).toEqual([email, 'no_account']);
  expect(await asOwner('SELECT FROM users WHERE email = ANY ($1)', [[unused, invitedEmail]])).toEqual([]);
});

test('an invitation does not let a provider open an account of another organization', async () => {
  const person = await aMember(hostile.organizationId, hostile.chapterId);
  const member = await invited(person.email);
  expect(await errorOf('own', account(person.email))).toBe('no_account');
  expect(await memberOf(member.id)).toMatchObject({ invitation: { state: 'open' } });
});
