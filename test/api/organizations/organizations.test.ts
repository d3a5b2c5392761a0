import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aPlatformAdmin, signIn } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const path = (id = stage.world.organizationId) => `/api/organizations/${id}/`;
const platform = async (headers: Record<string, string> = {}) => stage.as(await aPlatformAdmin(), headers);

test('the list of organizations needs a signed-in person', async () => {
  expect(await stage.nobody.get('/api/organizations/')).toMatchObject({ status: 401 });
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  expect(await stage.nobody.patch(path(), { name: 'X' })).toMatchObject({ status: 401 });
});

test('people list the organizations that give them access, and platform admins list all', async () => {
  const own = await stage.member.get('/api/organizations/');
  expect(own.body).toMatchObject({ count: 1, results: [{ id: stage.world.organizationId }] });
  const all = await (await platform()).get(`/api/organizations/?search=${stage.other.slug}`);
  expect(all.body).toMatchObject({ count: 1, results: [{ id: stage.other.organizationId }] });
});

test('a person of two organizations lists both, in either session', async () => {
  const { userId } = stage.other.member;
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    stage.world.organizationId,
    userId,
  ]);
  const client = stage.as({ token: await signIn(userId, stage.world.organizationId) });
  const { body } = await client.get('/api/organizations/?ordering=-created_at');
  expect(body.results.map(({ id }: { id: string }) => id)).toEqual([
    stage.other.organizationId,
    stage.world.organizationId,
  ]);
});

test('a search takes wildcards literally', async () => {
  expect((await (await platform()).get('/api/organizations/?search=%25')).body.count).toBe(0);
});

test('the list is one statement for any number of organizations', async () => {
  const client = await platform();
  const few = await countStatements(() => client.get('/api/organizations/?page_size=1'));
  const many = await countStatements(() => client.get('/api/organizations/?page_size=100'));
  expect(many).toBe(few);
});

test('unknown parameters and orderings are named', async () => {
  expect((await stage.member.get('/api/organizations/?colour=red')).body.errors).toHaveProperty('colour');
  expect((await stage.member.get('/api/organizations/?ordering=secret')).body.errors).toHaveProperty('ordering');
});

test('a member reads their own organization', async () => {
  const { status, body } = await stage.member.get(path());
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: stage.world.organizationId,
    slug: stage.world.slug,
    primary_color: null,
    timezone: 'UTC',
  });
  expect(await countStatements(() => stage.member.get(path()))).toBe(1);
});

test('another organization is a 404', async () => {
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(path(id)));
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.patch(path(id), { name: 'Taken over' }));
});

test('platform admins read any organization, and change the one that they name in the header', async () => {
  const id = stage.other.organizationId;
  expect(await (await platform()).get(path(id))).toMatchObject({ status: 200, body: { id } });
  expect((await (await platform()).patch(path(id), { name: 'X' })).body.code).toBe('organization_required');
  const acting = await platform({ 'X-Organization-Id': id });
  expect(await acting.patch(path(id), { name: 'Renamed' })).toMatchObject({ status: 200, body: { name: 'Renamed' } });
  expect(await acting.patch(path(), { name: 'Renamed' })).toMatchObject({ status: 404 });
});

test('members, officers and regional admins cannot change the organization', async () => {
  const { member, officer, regionalAdmin } = stage.world;
  for (const person of [member, officer, regionalAdmin]) {
    expect(await stage.as(person).patch(path(), { name: 'X' })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  }
});

test('a national admin changes settings, and the audit log shows the changes', async () => {
  const change = {
    name: 'New name',
    org_type: 'sorority',
    primary_color: 'hsl(210, 50%, 40%)',
    accepts_account_requests: true,
    name_check_threshold: 0.9,
    timezone: 'America/New_York',
  };
  const { status, body } = await stage.admin.patch(path(), change);
  expect({ status, body }).toMatchObject({ status: 200, body: change });
  const [entry] = await asOwner(
    `SELECT * FROM audit_log WHERE organization_id = $1 AND action = 'organization.updated' ORDER BY id DESC LIMIT 1`,
    [stage.world.organizationId],
  );
  expect(entry).toMatchObject({
    actor_user_id: stage.world.admin.userId,
    subject_id: stage.world.organizationId,
    before: { timezone: 'UTC', primary_color: null, name_check_threshold: 0.85 },
    after: change,
  });
});

test('a change without effect leaves version and audit log alone', async () => {
  const before = await stage.admin.get(path());
  const entries = () => asOwner('SELECT FROM audit_log WHERE organization_id = $1', [stage.world.organizationId]);
  const { length } = await entries();
  const { name, name_check_threshold } = before.body;
  expect((await stage.admin.patch(path(), { name, name_check_threshold })).body).toEqual(before.body);
  expect((await stage.admin.patch(path(), {})).body).toEqual(before.body);
  expect(await entries()).toHaveLength(length);
});

test('a change with a stale version is a conflict', async () => {
  const { body } = await stage.admin.get(path());
  const one = await stage.admin.patch(path(), { name: 'One', version: body.version });
  expect(one).toMatchObject({ status: 200, body: { version: body.version + 1 } });
  const two = await stage.admin.patch(path(), { name: 'Two', version: body.version });
  expect(two).toMatchObject({ status: 409, body: { code: 'stale_version' } });
});

test.each(['hsl(0, 0%, 0%)', 'hsl(360, 100%, 100%)', 'hsl(210 50% 40%)', '210 50% 40%', 'hsl(12.5, 50.5%, 40%)', null])(
  'the colour %p is accepted',
  async (primary_color) => {
    expect(await stage.admin.patch(path(), { primary_color })).toMatchObject({ status: 200, body: { primary_color } });
  },
);

test.each([
  'red',
  '#ff0000',
  '',
  'hsl(361, 50%, 40%)',
  'hsl(210, 101%, 40%)',
  'hsl(210, 50, 40)',
  'hsl(210, 50%, 40%); }',
  7,
])('the colour %p is refused', async (primary_color) => {
  const { status, body } = await stage.admin.patch(path(), { primary_color });
  expect(status).toBe(400);
  expect(body.errors).toHaveProperty('primary_color');
});

test.each([
  ['timezone', 'Mars/Olympus'],
  ['timezone', '+05:00'],
  ['timezone', 'america/new_york'],
  ['timezone', 'posixrules'],
  ['timezone', ''],
  ['name', ''],
  ['name', '   '],
  ['name', 'x'.repeat(201)],
  ['name', null],
  ['name', 'a\u0000b'],
  ['org_type', ''],
  ['name_check_threshold', 1.1],
  ['name_check_threshold', -0.1],
  ['name_check_threshold', '0.5'],
  ['accepts_account_requests', 'yes'],
  ['version', 0],
  ['version', 1e12],
  ['id', '0198c5a0-0000-7000-8000-000000000000'],
])('%s = %p is refused by name', async (field, value) => {
  const { status, body } = await stage.admin.patch(path(), { [field]: value });
  expect(status).toBe(400);
  expect(body.errors).toHaveProperty(field);
});

test.each(['UTC', 'Asia/Kolkata', 'Asia/Calcutta', 'US/Eastern'])('the time zone %s is known', async (timezone) => {
  expect(await stage.admin.patch(path(), { timezone })).toMatchObject({ status: 200, body: { timezone } });
});

test('slug and activity can be changed only by the platform', async () => {
  expect(await stage.admin.patch(path(), { slug: 'mine' })).toMatchObject({ status: 403 });
  expect(await stage.admin.patch(path(), { is_active: false })).toMatchObject({ status: 403 });
  const acting = await platform({ 'X-Organization-Id': stage.world.organizationId });
  const duplicate = await acting.patch(path(), { slug: stage.other.slug });
  expect(duplicate).toMatchObject({ status: 409, body: { code: 'duplicate', errors: { slug: [expect.any(String)] } } });
});

test('a deactivated organization ends its sessions and refuses log-ins until the platform reactivates it', async () => {
  const id = stage.other.organizationId;
  const acting = await platform({ 'X-Organization-Id': id });
  expect((await acting.patch(path(id), { is_active: false })).status).toBe(200);
  expect((await stage.as(stage.other.officer).get(path(id))).status).toBe(401);
  expect(await acting.patch(path(id), { is_active: true })).toMatchObject({ status: 200, body: { is_active: true } });
  expect((await stage.as(stage.other.officer).get(path(id))).status).toBe(401);
  const token = await signIn(stage.other.officer.userId, id);
  expect((await stage.as({ token }).get(path(id))).status).toBe(200);
});
