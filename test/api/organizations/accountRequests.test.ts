/** Tests requests for an account by people without one; an admin's review opens no account to another person. */
import { randomUUID } from 'node:crypto';
import { inTenant } from '../../../models/database/tenancy.js';
import { fileAccountRequest } from '../../../models/organizations/account-requests/fileAccountRequest.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aUser, type Person, signIn } from '../../support/world.js';
import { expectNowhere } from '../../support/apiWorld.js';
import { aNativeClient, givePassword, logIn } from '../identity/accounts.support.js';
import { inviting, NEW_PASSWORD } from './invitations/invitations.support.js';

const stage = inviting();
const publicly = (rest = '', slug = stage.world.slug) =>
  `/api/organizations/public/${slug}/account-requests/${rest && `${rest}/`}`;
const inside = (rest = '', id = stage.world.organizationId) =>
  `/api/organizations/${id}/account-requests/${rest && `${rest}/`}`;
const requestBody = (email: string, more: object = {}) => ({
  email,
  first_name: 'Quentin',
  last_name: 'Unheard',
  justification: 'I am a member.',
  chapter: stage.world.chapterId,
  ...more,
});
beforeAll(() =>
  asOwner('UPDATE organizations SET accepts_account_requests = true WHERE id = $1', [stage.world.organizationId]),
);

const idOf = async (email: string) =>
  (
    (
      await asOwner<{ id: string }>('SELECT id FROM account_requests WHERE email = $1 ORDER BY id DESC', [email])
    )[0] as { id: string }
  ).id;
/** Filed and proven. @returns its id */
async function pending(email = stage.address(), more: object = {}): Promise<string> {
  expect((await stage.nobody.post(publicly(), requestBody(email, more))).status).toBe(202);
  expect((await stage.nobody.post(publicly('verify'), { token: await stage.mailbox.tokenFor(email) })).status).toBe(
    204,
  );
  return idOf(email);
}
const review = (id: string, body: object, by = stage.admin) => by.post(inside(`${id}/review`), body);
const create = { decision: 'approve', mode: 'create' };
const link = (user: string, more: object = {}) => ({
  decision: 'approve',
  mode: 'link',
  user,
  confirm_name_mismatch: true,
  notes: 'Known under both.',
  ...more,
});
const hereOnly = () => aMember(stage.world.organizationId, stage.world.chapterId);
const subjects = async (email: string) => (await stage.mailbox.to(email)).map(({ subject }) => subject);

test('a request proven by its mailbox and approved becomes a membership that waits for its person', async () => {
  const email = stage.address();
  expect(await stage.nobody.post(publicly(), requestBody(email))).toMatchObject({
    status: 202,
    body: { status: 'unverified', expires_in: 86_400 },
  });
  const id = await idOf(email);
  expect((await review(id, create)).body.code).toBe('request_unverified');
  const token = await stage.mailbox.tokenFor(email);
  expect((await stage.nobody.post(publicly('verify'), { token })).status).toBe(204);
  expect((await stage.nobody.post(publicly('verify'), { token })).body.code).toBe('request_token_invalid');
  expect((await review(id, { decision: 'approve' })).body.errors).toHaveProperty('mode');
  const approved = await review(id, create);
  expect(approved).toMatchObject({ status: 200, body: { status: 'approved', mode: 'create', created_user: null } });
  const membership = (await stage.admin.get(`/api/memberships/${approved.body.created_membership}/`)).body;
  expect(membership).toMatchObject({ email, status: 'undergrad', role: 'member', invitation: { state: 'open' } });
  await stage.accept(await stage.mailbox.tokenFor(email), NEW_PASSWORD);
  const [account] = await asOwner<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
  expect((await stage.admin.get(inside(id))).body.created_user).toBe(account?.id);
  const notified = await asOwner(
    'SELECT recipient_id, resolved_at IS NOT NULL AS resolved FROM notifications WHERE subject_id = $1',
    [id],
  );
  expect(notified).toEqual([{ recipient_id: stage.world.admin.userId, resolved: true }]);
  expect((await review(id, create)).body.code).toBe('request_closed');
});

test('an unknown slug, a closed organization and one that accepts no requests give the same 404', async () => {
  const ask = (slug: string) => stage.nobody.post(publicly('', slug), requestBody(stage.address()));
  const answers = [await ask('no-such-organization'), await ask(stage.other.slug), await ask('not a slug')];
  await asOwner('UPDATE organizations SET accepts_account_requests = true, is_active = false WHERE id = $1', [
    stage.other.organizationId,
  ]);
  answers.push(await ask(stage.other.slug));
  await asOwner('UPDATE organizations SET accepts_account_requests = false, is_active = true WHERE id = $1', [
    stage.other.organizationId,
  ]);
  for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]?.body]);
});

test('filing answers the same at the same cost for every kind of address', async () => {
  const foreign = await aMember(stage.other.organizationId, stage.other.chapterId);
  const waiting = stage.address();
  await pending(waiting);
  const { organizationId, slug } = stage.world;
  const organization = { id: organizationId, name: 'Organization', slug };
  const results: unknown[] = [];
  for (const email of [stage.address(), foreign.email, stage.world.member.email, stage.world.admin.email, waiting]) {
    const { status, body } = await stage.nobody.post(publicly(), requestBody(email));
    // Repeat where no intent is dispatched meanwhile.
    const work = () => inTenant(organizationId, () => fileAccountRequest(organization, requestBody(email)));
    results.push([status, body, await countStatements(work)]);
  }
  expect(new Set(results.map((one) => JSON.stringify(one))).size).toBe(1);
});

test('the newest request counts until the address is proven, and then the proven one stays', async () => {
  const email = stage.address();
  await stage.nobody.post(publicly(), requestBody(email, { first_name: 'Older' }));
  const older = await stage.mailbox.tokenFor(email);
  await stage.nobody.post(publicly(), requestBody(email, { first_name: 'Newer' }));
  expect((await stage.nobody.post(publicly('verify'), { token: older })).status).toBe(400);
  await stage.nobody.post(publicly('verify'), { token: await stage.mailbox.tokenFor(email) });
  await asOwner('DELETE FROM throttles');
  await stage.nobody.post(publicly(), requestBody(email, { first_name: 'Stranger' }));
  expect((await stage.admin.get(inside(await idOf(email)))).body).toMatchObject({
    first_name: 'Newer',
    status: 'pending',
  });
  expect((await subjects(email)).at(-1)).toBe('Your request for an account');
  expect(await asOwner('SELECT id FROM account_requests WHERE email = $1', [email])).toHaveLength(1);
});

test('a link older than a day is refused, and the expired request is purged', async () => {
  const email = stage.address();
  await stage.nobody.post(publicly(), requestBody(email));
  const token = await stage.mailbox.tokenFor(email);
  await asOwner("UPDATE account_requests SET token_expires_at = now() - interval '1 second' WHERE email = $1", [email]);
  expect((await stage.nobody.post(publicly('verify'), { token })).body.code).toBe('request_token_invalid');
  await stage.nobody.post(publicly(), requestBody(stage.address()));
  expect(await asOwner('SELECT id FROM account_requests WHERE email = $1', [email])).toEqual([]);
});

describe('the requester withdraws the request by the mailed link', () => {
  const withdraw = (token: string, slug = stage.world.slug) => stage.nobody.post(publicly('withdraw', slug), { token });

  test.each([
    ['before it is proven', false],
    ['while it waits', true],
  ])('a request is withdrawn %s, once as well as ten times at once', async (_when, proven) => {
    const email = stage.address();
    await stage.nobody.post(publicly(), requestBody(email));
    const token = await stage.mailbox.tokenFor(email);
    if (proven) await stage.nobody.post(publicly('verify'), { token });
    const id = await idOf(email);
    const answers = await Promise.all(Array.from({ length: 10 }, () => withdraw(token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect((await stage.admin.get(inside(id))).body).toMatchObject({
      status: 'withdrawn',
      email: null,
      first_name: '(erased)',
      justification: '(erased)',
    });
    const log = await asOwner("SELECT FROM audit_log WHERE subject_id = $1 AND action = 'account_request.withdrawn'", [
      id,
    ]);
    expect(log).toHaveLength(1);
    expect((await stage.nobody.post(publicly('verify'), { token })).body.code).toBe('request_token_invalid');
    expect((await review(id, create)).body.code).toBe('request_closed');
    const waiting = await asOwner('SELECT FROM notifications WHERE subject_id = $1 AND resolved_at IS NULL', [id]);
    expect(waiting).toEqual([]);
    expect((await stage.nobody.post(publicly(), requestBody(email))).status).toBe(202);
    expect(await idOf(email)).not.toBe(id);
  });

  test('a withdrawal is refused after the decision, with another token and in another organization', async () => {
    const email = stage.address();
    const id = await pending(email);
    const token = await stage.mailbox.tokenFor(email);
    const unknown = await withdraw('x'.repeat(token.length));
    expect([unknown.status, unknown.body.code]).toEqual([400, 'request_token_invalid']);
    expect((await withdraw(token, stage.other.slug)).body).toEqual(unknown.body);
    await review(id, { decision: 'reject', notes: 'Nobody knows you.' });
    expect((await withdraw(token)).body.code).toBe('request_closed');
    expect((await stage.admin.get(inside(id))).body).toMatchObject({ status: 'rejected', email });
  });

  test('a request can be withdrawn after the organization has stopped accepting requests', async () => {
    const email = stage.address();
    const id = await pending(email);
    const token = await stage.mailbox.tokenFor(email);
    const takes = (accepts: boolean) =>
      asOwner('UPDATE organizations SET accepts_account_requests = $2 WHERE id = $1', [
        stage.world.organizationId,
        accepts,
      ]);
    await takes(false);
    expect((await withdraw(token)).status).toBe(204);
    await takes(true);
    expect((await stage.admin.get(inside(id))).body.status).toBe('withdrawn');
  });
});

test('filing is throttled by address and by network', async () => {
  const email = stage.address();
  const ask = (address: string) => stage.nobody.post(publicly(), requestBody(address));
  expect([(await ask(email)).status, (await ask(email)).status, (await ask(email.toUpperCase())).status]).toEqual([
    202, 202, 429,
  ]);
  // The refused third request does not count toward the limit of the network.
  for (let n = 2; n < 30; n += 1) await ask(stage.address());
  expect((await ask(stage.address())).status).toBe(429);
});

describe('duplicates by name', () => {
  const named = async (first: string, last: string) => {
    const person = await hereOnly();
    await asOwner('UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1', [person.userId, first, last]);
    return person;
  };

  test.each([
    ['José', "O'Neill-Marsh", 'oneill marsh', 'JOSE'],
    ['Anne-Marie', 'Zukunft', 'Anne Marie', 'Zukunft'],
    ['Ødegård', 'Bjørnström', 'Ødegard', 'Bjørnstrom'],
  ])(
    'a member named %s %s is a possible duplicate of a request by %s %s',
    async (first, last, askedFirst, askedLast) => {
      const person = await named(first, last);
      const id = await pending(undefined, { first_name: askedFirst, last_name: askedLast });
      const { body } = await stage.admin.get(inside(id));
      expect(body.name_matches).toMatchObject([{ user: person.userId, likeness: 1 }]);
      const refused = await review(id, create);
      expect([refused.status, refused.body.code]).toEqual([409, 'possible_duplicate']);
      expect((await stage.admin.get(inside(id))).body.status).toBe('pending');
      expect((await review(id, { ...create, confirm_distinct: true })).status).toBe(200);
    },
  );

  test('members of another organization are no duplicates, and with the threshold 0 no one is', async () => {
    const stranger = await aMember(stage.other.organizationId, stage.other.chapterId);
    await asOwner("UPDATE users SET first_name = 'Wilhelmina', last_name = 'Farther' WHERE id = $1", [stranger.userId]);
    const id = await pending(undefined, { first_name: 'Wilhelmina', last_name: 'Farther' });
    expect((await stage.admin.get(inside(id))).body.name_matches).toEqual([]);
    await named('Wilhelmina', 'Farther');
    expect((await stage.admin.get(inside(id))).body.name_matches).toHaveLength(1);
    const settle = (threshold: number) =>
      asOwner('UPDATE organizations SET name_check_threshold = $2 WHERE id = $1', [
        stage.world.organizationId,
        threshold,
      ]);
    await settle(0);
    expect((await stage.admin.get(inside(id))).body.name_matches).toEqual([]);
    expect((await review(id, create)).status).toBe(200);
    await settle(0.85);
  });
});

describe('an address that is linked to an account', () => {
  const linked = async (person: Person, email = stage.address()) => {
    const id = await pending(email);
    expect(await review(id, link(person.userId))).toMatchObject({
      status: 200,
      body: { status: 'approved', mode: 'link', linked_user: person.userId, created_user: null },
    });
    return { id, email };
  };
  const isTheirs = async (email: string) =>
    (await asOwner('SELECT FROM user_emails WHERE email = $1 AND is_verified', [email])).length === 1;

  test('a linked address signs in to the account until an older address revokes the link and all sessions since', async () => {
    const person = await hereOnly();
    await givePassword(person.userId);
    const before = await aNativeClient(stage.api.url, person.email);
    const { email } = await linked(person);
    expect((await logIn(stage.native, { email })).body.user.id).toBe(person.userId);
    expect(await asOwner('SELECT id FROM users WHERE email = $1 OR typed_email = $1', [email])).toEqual([]);
    expect(await subjects(email)).toContain('Your request for an account was approved');
    const token = await stage.mailbox.tokenFor(person.email);
    const since = await aNativeClient(stage.api.url, email);
    expect((await since.client.post('/api/auth/me/deletion/')).status).toBe(202);
    const answers = await Promise.all(Array.from({ length: 10 }, () => stage.nobody.post(publicly('undo'), { token })));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await isTheirs(email)).toBe(false);
    expect(await asOwner('SELECT status FROM account_deletions WHERE user_id = $1', [person.userId])).toEqual([
      { status: 'cancelled' },
    ]);
    expect((await since.client.get('/api/auth/me/')).status).toBe(401);
    expect((await before.client.get('/api/auth/me/')).status).toBe(200);
    expect((await logIn(stage.native, { email })).status).toBe(401);
    expect((await stage.nobody.post(publicly('undo'), { token })).body.code).toBe('request_token_invalid');
  });

  test('a link can be revoked for seven days, together with a password set meanwhile', async () => {
    const person = await hereOnly();
    const { id } = await linked(person);
    const token = await stage.mailbox.tokenFor(person.email);
    await asOwner("INSERT INTO security_events (user_id, kind) VALUES ($1, 'password.reset')", [person.userId]);
    await givePassword(person.userId);
    await asOwner("UPDATE account_requests SET undo_until = now() - interval '1 second' WHERE id = $1", [id]);
    expect((await stage.nobody.post(publicly('undo'), { token })).status).toBe(400);
    await asOwner("UPDATE account_requests SET undo_until = now() + interval '1 second' WHERE id = $1", [id]);
    expect((await stage.nobody.post(publicly('undo'), { token })).status).toBe(204);
    expect((await logIn(stage.native, { email: person.email })).status).toBe(401);
    expect(await subjects(person.email)).toContain('An e-mail address was removed from your account');
  });

  test('a link is revoked when another organization adds the person', async () => {
    const person = await hereOnly();
    const { email } = await linked(person);
    const later = await signIn(person.userId, stage.world.organizationId);
    const { organizationId, chapterId } = stage.other;
    await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
      organizationId,
      person.userId,
      chapterId,
    ]);
    expect(await isTheirs(email)).toBe(false);
    expect((await stage.as({ token: later }).get('/api/auth/me/')).status).toBe(401);
    expect((await stage.as(person).get('/api/auth/me/')).status).toBe(200);
  });

  const rowOf = async (email: string) =>
    (await asOwner<{ id: string }>('SELECT id FROM user_emails WHERE email = $1', [email]))[0]?.id as string;

  test('removing a linked address within seven days revokes the link, and later removes only the address', async () => {
    const person = await hereOnly();
    await givePassword(person.userId);
    const { email } = await linked(person);
    const token = await stage.mailbox.tokenFor(person.email);
    const reader = (await aNativeClient(stage.api.url, email)).client;
    await asOwner("INSERT INTO security_events (user_id, kind) VALUES ($1, 'password.reset')", [person.userId]);
    expect((await reader.delete(`/api/auth/emails/${await rowOf(email)}/`)).status).toBe(204);
    expect(await isTheirs(email)).toBe(false);
    expect((await reader.get('/api/auth/me/')).status).toBe(401);
    expect((await stage.as(person).get('/api/auth/me/')).status).toBe(200);
    expect((await logIn(stage.native, { email: person.email })).status).toBe(401);
    expect((await stage.nobody.post(publicly('undo'), { token })).status).toBe(204);

    await givePassword(person.userId);
    const { email: second } = await linked(person);
    await asOwner("UPDATE user_emails SET linked_at = now() - interval '8 days' WHERE email = $1", [second]);
    const own = (await aNativeClient(stage.api.url, person.email)).client;
    expect((await own.delete(`/api/auth/emails/${await rowOf(second)}/`)).status).toBe(204);
    expect((await own.get('/api/auth/me/')).status).toBe(200);
    expect((await logIn(stage.native, { email: person.email })).status).toBe(200);
  });

  test('a revocation removes a network account linked since, and no older one', async () => {
    const [person, other] = [await hereOnly(), await hereOnly()];
    const linkNetwork = (userId: string) =>
      asOwner(
        `INSERT INTO social_accounts (user_id, provider, subject, access_token_encrypted) VALUES ($1, 'linkedin', $2, 'x')`,
        [userId, userId],
      );
    await linkNetwork(other.userId);
    for (const { userId } of [person, other]) {
      await linked({ ...person, userId });
      if (userId === person.userId) await linkNetwork(userId);
    }
    for (const { email } of [person, other])
      await stage.nobody.post(publicly('undo'), { token: await stage.mailbox.tokenFor(email) });
    const remaining = await asOwner('SELECT user_id FROM social_accounts WHERE user_id = ANY ($1)', [
      [person.userId, other.userId],
    ]);
    expect(remaining).toEqual([{ user_id: other.userId }]);
  });

  test("a password chosen at another organization's invitation does not open the linked account", async () => {
    const person = await hereOnly();
    const { email } = await linked(person);
    const { admin, chapterId } = stage.other;
    const invited = await stage.as(admin).post(`/api/chapters/${chapterId}/members/`, {
      email,
      first_name: 'Typed',
      last_name: 'Name',
      role: 'member',
      status: 'undergrad',
    });
    expect(invited.status).toBe(201);
    expect((await stage.accept(await stage.mailbox.tokenFor(email), NEW_PASSWORD)).status).toBe(200);
    expect(await isTheirs(email)).toBe(false);
    expect((await logIn(stage.native, { email: person.email, password: NEW_PASSWORD })).status).toBe(401);
  });

  test('a linked address cannot become the primary one', async () => {
    const person = await hereOnly();
    const { email } = await linked(person);
    const [row] = await asOwner<{ id: string }>('SELECT id FROM user_emails WHERE email = $1', [email]);
    const client = stage.as(person);
    expect((await client.post(`/api/auth/emails/${row?.id}/make-primary/`)).body.code).toBe('email_linked');
  });

  test('a request cannot be linked to an administrator, a placeholder or a person of another organization', async () => {
    const id = await pending();
    const code = async (user: string) => {
      const { status, body } = await review(id, link(user));
      return [status, body.code];
    };
    const { admin, regionalAdmin } = stage.world;
    const platform = await hereOnly();
    await asOwner('UPDATE users SET is_platform_admin = true WHERE id = $1', [platform.userId]);
    for (const { userId } of [admin, regionalAdmin, platform])
      expect(await code(userId)).toEqual([422, 'link_not_allowed']);
    const both = await hereOnly();
    await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id, status) VALUES ($1, $2, $3, $4)', [
      stage.other.organizationId,
      both.userId,
      stage.other.chapterId,
      'inactive',
    ]);
    expect(await code(both.userId)).toEqual([403, 'account_elsewhere']);
    const { body: invited } = await stage.addMember(stage.address());
    expect(await code(invited.user)).toEqual([409, 'invitation_open']);
    const disabled = await hereOnly();
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.userId]);
    expect(await code(disabled.userId)).toEqual([409, 'account_disabled']);
    for (const user of [stage.other.member.userId, await aUser(), randomUUID()])
      expect(await code(user)).toEqual([404, 'not_found']);
    expect((await review(id, { ...link(both.userId), user: undefined })).body.errors).toHaveProperty('user');
    expect((await stage.admin.get(inside(id))).body.status).toBe('pending');
  });

  test('a link needs a confirmation and notes for a different name, and a recent sign-in', async () => {
    const person = await hereOnly();
    const id = await pending();
    const bare = { decision: 'approve', mode: 'link', user: person.userId };
    expect((await review(id, bare)).body.code).toBe('name_mismatch');
    expect((await review(id, { ...bare, confirm_name_mismatch: true })).body.errors).toHaveProperty('notes');
    await asOwner("UPDATE sessions SET auth_time = now() - interval '1 hour' WHERE user_id = $1", [
      stage.world.admin.userId,
    ]);
    expect((await review(id, link(person.userId))).body.code).toBe('step_up_required');
    await asOwner('UPDATE sessions SET auth_time = now() WHERE user_id = $1', [stage.world.admin.userId]);
    await asOwner("UPDATE users SET first_name = 'Quentín', last_name = 'Unheard' WHERE id = $1", [person.userId]);
    expect((await review(id, bare)).status).toBe(200);
  });

  test("an address of a member cannot be linked, and one of a foreign account stays that account's without revealing it", async () => {
    const person = await hereOnly();
    expect((await review(await pending(person.email), link(person.userId))).body.code).toBe('email_exists');
    expect((await review(await pending(stage.world.member.email), link(person.userId))).body.code).toBe('email_taken');
    const foreign = await aMember(stage.other.organizationId, stage.other.chapterId);
    await givePassword(foreign.userId);
    const shown = async (email: string) => {
      const target = await hereOnly();
      const id = await pending(email);
      const { status, body } = await review(id, link(target.userId));
      const text = JSON.stringify([status, body, (await stage.admin.get(inside(id))).body]);
      return text
        .replaceAll(email, 'EMAIL')
        .replaceAll(/[0-9a-f-]{36}/g, 'ID')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'WHEN');
    };
    expect(await shown(foreign.email)).toBe(await shown(stage.address()));
    expect((await logIn(stage.native, { email: foreign.email })).body.user.id).toBe(foreign.userId);
  });
});

test('ten approvals at once make one membership', async () => {
  const email = stage.address();
  const id = await pending(email, { first_name: 'Decima', last_name: 'Tenfold' });
  const answers = await Promise.all(Array.from({ length: 10 }, () => review(id, create)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'request_closed')).toHaveLength(9);
  const made = await asOwner(
    'SELECT m.id FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.typed_email = $1',
    [email],
  );
  expect(made).toHaveLength(1);
});

test('approvals for an unused address and for one of a foreign account are answered alike', async () => {
  const foreign = await aMember(stage.other.organizationId, stage.other.chapterId);
  const shown = async (email: string) => {
    const id = await pending(email);
    const detail = await stage.admin.get(inside(id));
    const { status, body } = await review(id, create);
    const member = await stage.admin.get(`/api/memberships/${body.created_membership}/`);
    const text = JSON.stringify([detail.body, status, body, member.body]);
    return text
      .replaceAll(email, 'EMAIL')
      .replaceAll(/[0-9a-f-]{36}/g, 'ID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'WHEN');
  };
  const unused = stage.address();
  const first = await shown(foreign.email);
  // By now both requests have the same name.
  await asOwner("UPDATE users SET first_name = 'Xx', last_name = 'Yy' WHERE typed_email = $1", [foreign.email]);
  const [one, two] = [first, await shown(unused)].map((text) => text.replaceAll(/"(first|last)_name":"[^"]*"/g, ''));
  expect(one).toBe(two);
});

test('an admin cannot decide their own request, and a rejection is mailed with its reason', async () => {
  const own = await review(await pending(stage.world.admin.email), create);
  expect([own.status, own.body.code]).toEqual([403, 'own_request']);
  const email = stage.address();
  const id = await pending(email);
  expect((await review(id, { decision: 'reject' })).body.errors).toHaveProperty('notes');
  expect((await review(id, { decision: 'reject', notes: 'Nobody knows you.' })).body.status).toBe('rejected');
  expect((await stage.mailbox.to(email)).at(-1)?.text).toContain('Nobody knows you.');
});

test('a bulk review decides each request by itself', async () => {
  const [good, nowhere] = [
    await pending(undefined, { first_name: 'Barnaby', last_name: 'Singular' }),
    await pending(undefined, { first_name: 'Clothilde', last_name: 'Placeless', chapter: null }),
  ];
  const { body } = await stage.admin.post(inside('bulk-review'), {
    ids: [good, nowhere, randomUUID()],
    decision: 'approve',
  });
  expect(body).toMatchObject([
    { id: good, status: 'approved', error: null },
    { id: nowhere, status: null, error: { code: 'validation_error' } },
    { status: null, error: { code: 'not_found' } },
  ]);
});

test("only the organization's admins see the requests, and the list is one statement", async () => {
  const id = await pending();
  for (const client of [stage.as(stage.world.regionalAdmin), stage.officer, stage.member]) {
    expect((await client.get(inside())).status).toBe(403);
    expect((await client.get(inside(id))).status).toBe(403);
    expect((await review(id, create, client)).status).toBe(403);
    expect((await client.post(inside('bulk-review'), { ids: [id], decision: 'approve' })).status).toBe(403);
  }
  const foreigner = stage.as(stage.other.admin);
  await expectNowhere(id, (it) => foreigner.get(inside(it, stage.other.organizationId)));
  await expectNowhere(id, (it) => foreigner.post(inside(`${it}/review`, stage.other.organizationId), create));
  const count = (size: number) =>
    countStatements(() => stage.admin.get(`${inside()}?status=pending&page_size=${size}`));
  expect([await count(1), await count(100)]).toEqual([3, 3]);
});

test("an erasure removes the requests' personal data", async () => {
  const { organizationId } = stage.world;
  const person = await hereOnly();
  const id = await pending(person.email);
  const { id: linking } = await (async () => {
    const email = stage.address();
    const made = await pending(email);
    await review(made, link(person.userId));
    return { id: made };
  })();
  for (let times = 0; times < 2; times += 1) await inTenant(organizationId, () => eraseInOrganization(person.userId));
  const remaining = await asOwner(
    'SELECT email, first_name, justification, status FROM account_requests WHERE id = ANY ($1) ORDER BY id',
    [[id, linking]],
  );
  const erased = { email: null, first_name: '(erased)', justification: '(erased)' };
  expect(remaining).toEqual([
    { ...erased, status: 'withdrawn' },
    { ...erased, status: 'approved' },
  ]);
});

test.each([
  [{ email: 'x' }, 'email'],
  [{ justification: '' }, 'justification'],
  [{ chapter: randomUUID() }, 'chapter'],
  [{ status: 'pending' }, 'status'],
])('%j is refused by name', async (more, field) => {
  const { status, body } = await stage.nobody.post(publicly(), requestBody(stage.address(), more));
  expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
});

test('an inactive chapter takes no requests', async () => {
  const { otherChapterId: chapter } = stage.world;
  await asOwner("UPDATE chapters SET status = 'inactive' WHERE id = $1", [chapter]);
  const refused = await stage.nobody.post(publicly(), requestBody(stage.address(), { chapter }));
  expect(refused).toMatchObject({ status: 409, body: { code: 'chapter_not_active' } });
  await asOwner("UPDATE chapters SET status = 'active' WHERE id = $1", [chapter]);
});
