import { AUDIT_LOG } from '../../support/auditLog.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aPlatformAdmin, aUser, aWorld } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { ONE_OF_TEN, statuses } from './statuses.support.js';

const stage = apiWorld();
const path = (admin = '', id = stage.world.organizationId) => `/api/organizations/${id}/admins/${admin && `${admin}/`}`;
let counter = 0;
const address = () => `admin${(counter += 1)}@invited.example`;

/** A former member of the organization, whose account is known here. */
const known = (world = stage.world) => aMember(world.organizationId, world.chapterId, 'member', 'inactive');

/** Makes a known person an admin. @returns the admin's id and a client of theirs */
async function anotherAdmin() {
  const { userId, email, token } = await known();
  const { body } = await stage.admin.post(path(), { email, title: 'Deputy' });
  return { id: body.id as string, userId, client: stage.as({ token }) };
}

test('the list of admins needs a signed-in national admin', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  const { member, officer, regionalAdmin } = stage.world;
  for (const person of [member, officer, regionalAdmin]) {
    expect(await stage.as(person).get(path())).toMatchObject({ status: 403 });
    expect(await stage.as(person).post(path(), { email: person.email })).toMatchObject({ status: 403 });
  }
});

test("another organization's list of admins is a 404", async () => {
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(path('', id)));
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.post(path('', id), { email: address() }));
});

describe('the search for admins', () => {
  const search = (query: string, client = stage.admin, id = stage.world.organizationId) =>
    client.get(`/api/organizations/${id}/admin-search/?${query}`);

  test('the search finds active admins by part of a name or the beginning of an address, and names that begin so first', async () => {
    const called = async (first: string, last: string, { disabled = false } = {}) => {
      const { id, userId } = await anotherAdmin();
      await asOwner(
        `UPDATE users SET first_name = $2, last_name = $3, disabled_at = CASE WHEN $4 THEN now() END WHERE id = $1`,
        [userId, first, last, disabled],
      );
      return { id, userId };
    };
    const [zoe, quill] = [await called('Zoe', 'McQuill'), await called('Quill', 'Abernathy')];
    const { id: resigned } = await called('Quill', 'Former');
    await called('Quill', 'Stolen', { disabled: true });
    await stage.admin.patch(path(resigned), { is_active: false });
    const { body } = await search('q=quill');
    expect(body.map(({ id }: { id: string }) => id)).toEqual([quill.id, zoe.id]);
    const [{ email }] = (await asOwner<{ email: string }>('SELECT email FROM users WHERE id = $1', [zoe.userId])) as [
      { email: string },
    ];
    expect(body[1]).toEqual({
      id: zoe.id,
      user: zoe.userId,
      first_name: 'Zoe',
      last_name: 'McQuill',
      email,
      title: 'Deputy',
    });
    expect((await search(`q=${email.toUpperCase()}`)).body).toMatchObject([{ id: zoe.id }]);
    expect((await search('q=mcquill%20zoe')).body).toMatchObject([{ id: zoe.id }]);
    for (const q of ['%25', '_', 'example.org']) expect((await search(`q=${q}`)).body).toEqual([]);
    await stage.admin.delete(path(resigned));
  });

  test('the search is for admins, needs a query, and is one statement with at most 25 results', async () => {
    expect((await search('q=first', stage.nobody)).status).toBe(401);
    for (const person of [stage.world.member, stage.world.officer, stage.world.regionalAdmin])
      expect((await search('q=first', stage.as(person))).status).toBe(403);
    await expectNowhere(stage.other.organizationId, (id) => search('q=first', stage.admin, id));
    for (const query of ['', 'q=', `q=${'x'.repeat(101)}`])
      expect((await search(query)).body.errors).toHaveProperty('q');
    expect(await countStatements(() => search('q=first'))).toBe(3);
    await asOwner(
      `WITH people AS (INSERT INTO users (email, first_name, last_name)
         SELECT 'many' || n || '@example.org', 'Many', 'Admins' FROM generate_series(1, 30) n RETURNING id)
       INSERT INTO organization_admins (organization_id, user_id) SELECT $1, id FROM people`,
      [stage.world.organizationId],
    );
    expect((await search('q=many')).body).toHaveLength(25);
    await asOwner(`DELETE FROM organization_admins WHERE user_id IN (SELECT id FROM users WHERE first_name = 'Many')`);
  });
});

test('an admin of another tenant is a 404', async () => {
  const [row] = await asOwner<{ id: string }>('SELECT id FROM organization_admins WHERE organization_id = $1', [
    stage.other.organizationId,
  ]);
  const id = (row as { id: string }).id;
  await expectNowhere(id, (admin) => stage.admin.patch(path(admin), { is_active: false }));
  await expectNowhere(id, (admin) => stage.admin.delete(path(admin)));
});

test('an unknown person is invited as an inactive admin without an account', async () => {
  const email = address();
  const { status, body } = await stage.admin.post(path(), { email: ` ${email.toUpperCase()} `, title: 'Deputy' });
  const waiting = { email, title: 'Deputy', is_active: false, invitation: { state: 'open' } };
  expect({ status, body }).toMatchObject({ status: 201, body: waiting });
  expect(await asOwner('SELECT FROM users WHERE email = $1', [email])).toEqual([]);
});

test('a known person becomes an admin at once and is notified', async () => {
  const { userId, email } = await known();
  const { body } = await stage.admin.post(path(), { email });
  expect(body).toMatchObject({ user: userId, is_active: true, invitation: null });
  expect(await asOwner('SELECT kind FROM account_notices WHERE user_id = $1', [userId])).toEqual([
    { kind: 'office_given' },
  ]);
});

test("the account is found by its verified secondary address before another's primary one", async () => {
  const [email, { userId }] = [address(), await known()];
  await aUser(email);
  await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [userId, email]);
  expect((await stage.admin.post(path(), { email })).body.user).toBe(userId);
});

test('an unverified address finds no account', async () => {
  const [email, { userId }] = [address(), await known()];
  await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, false)', [userId, email]);
  expect((await stage.admin.post(path(), { email })).body.user).not.toBe(userId);
});

test('inviting a person twice is a conflict', async () => {
  const email = address();
  await stage.admin.post(path(), { email });
  expect(await stage.admin.post(path(), { email })).toMatchObject({ status: 409, body: { code: 'admin_exists' } });
});

test('ten concurrent invitations of one new address make one person and one admin', async () => {
  const email = address();
  const answers = await Promise.all(Array.from({ length: 10 }, () => stage.admin.post(path(), { email })));
  expect(statuses(answers)).toEqual(ONE_OF_TEN);
  expect(await asOwner('SELECT FROM users WHERE typed_email = $1', [email])).toHaveLength(1);
});

test.each([
  [{}, 'email'],
  [{ email: 'nobody' }, 'email'],
  [{ email: `${'x'.repeat(250)}@example.org` }, 'email'],
  [{ email: 'a@example.org', title: '' }, 'title'],
  [{ email: 'a@example.org', is_active: false }, 'is_active'],
])('%j is refused by name', async (invitation, field) => {
  const { status, body } = await stage.admin.post(path(), invitation);
  expect(status).toBe(400);
  expect(body.errors).toHaveProperty(field);
});

test('the list shows the admins, filtered, in one statement', async () => {
  const { body } = await stage.admin.get(path(''));
  expect(body.results).toContainEqual(expect.objectContaining({ user: stage.world.admin.userId, title: 'Director' }));
  const waiting = (await stage.admin.get(`${path()}?is_active=false`)).body.results;
  for (const row of waiting) expect(row.invitation).toMatchObject({ state: 'open' });
  expect(await countStatements(() => stage.admin.get(`${path()}?page_size=1`))).toBe(3);
  expect(await countStatements(() => stage.admin.get(`${path()}?page_size=100`))).toBe(3);
});

test('a deactivated admin loses access until reactivated', async () => {
  const { id, client } = await anotherAdmin();
  expect((await client.get(path())).status).toBe(200);
  expect(await stage.admin.patch(path(id), { is_active: false })).toMatchObject({ status: 200, body: { version: 2 } });
  expect((await client.get(path())).status).toBe(401);
  await stage.admin.patch(path(id), { is_active: true, title: null });
  expect((await client.get(path())).status).toBe(200);
});

test('a removed admin is gone from the list, and the audit log keeps who it was', async () => {
  const { id, userId, client } = await anotherAdmin();
  expect(await stage.admin.delete(path(id))).toMatchObject({ status: 204, body: undefined });
  expect(await stage.admin.delete(path(id))).toMatchObject({ status: 404 });
  expect((await client.get(path())).status).toBe(401);
  const [entry] = await asOwner(
    `SELECT before FROM ${AUDIT_LOG} WHERE subject_id = $1 AND action = 'organization_admin.removed'`,
    [id],
  );
  expect(entry).toMatchObject({ before: { user_id: userId, is_active: true } });
});

test('a stale version is refused', async () => {
  const { id } = await anotherAdmin();
  await stage.admin.patch(path(id), { title: 'One', version: 1 });
  expect((await stage.admin.patch(path(id), { title: 'Two', version: 1 })).body.code).toBe('stale_version');
});

describe('the last active admin', () => {
  const own = async (world: { organizationId: string }) => {
    const rows = await asOwner<{ id: string }>(
      'SELECT id FROM organization_admins WHERE organization_id = $1 ORDER BY id',
      [world.organizationId],
    );
    return rows.map(({ id }) => id);
  };
  const active = (organizationId: string) =>
    asOwner('SELECT FROM organization_admins WHERE organization_id = $1 AND is_active', [organizationId]);

  test('the last active admin can be neither deactivated nor removed', async () => {
    const world = await aWorld();
    const [last] = await own(world);
    const acting = stage.as(await aPlatformAdmin(), { 'X-Organization-Id': world.organizationId });
    for (const client of [stage.as(world.admin), acting]) {
      const where = path(last, world.organizationId);
      expect(await client.patch(where, { is_active: false })).toMatchObject({
        status: 409,
        body: { code: 'last_admin' },
      });
      expect(await client.delete(where)).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    }
    expect(await active(world.organizationId)).toHaveLength(1);
  });

  test('an inactive admin does not count as an active one', async () => {
    const world = await aWorld();
    const client = stage.as(world.admin);
    const [first] = await own(world);
    const { body } = await client.post(path('', world.organizationId), { email: (await known(world)).email });
    await client.patch(path(body.id, world.organizationId), { is_active: false });
    expect((await client.patch(path(first, world.organizationId), { is_active: false })).body.code).toBe('last_admin');
  });

  test.each(['deactivations', 'removals', 'of each'])(
    'the last active admin stays under concurrent %s',
    async (kind) => {
      for (let round = 0; round < 5; round += 1) {
        const world = await aWorld({ members: 1 });
        const client = stage.as(await aPlatformAdmin(), { 'X-Organization-Id': world.organizationId });
        for (let n = 0; n < 3; n += 1)
          await client.post(path('', world.organizationId), { email: (await known(world)).email });
        const answers = await Promise.all(
          (await own(world)).map((id, n) => {
            const where = path(id, world.organizationId);
            const removes = kind === 'removals' || (kind === 'of each' && n % 2 === 0);
            return removes ? client.delete(where) : client.patch(where, { is_active: false });
          }),
        );
        expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
        expect(answers.find(({ status }) => status === 409)?.body.code).toBe('last_admin');
        expect(await active(world.organizationId)).toHaveLength(1);
      }
    },
  );
});
