import { AUDIT_LOG } from '../../support/auditLog.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const path = (admin = '', id = stage.world.organizationId) =>
  `/api/organizations/${id}/regional-admins/${admin && `${admin}/`}`;
let counter = 0;
const invitation = (more: object = {}) => ({
  email: `regional${(counter += 1)}@invited.example`,
  region: stage.world.regionId,
  role: 'coordinator',
  ...more,
});

test('national and regional admins read regional admins, and national admins change them', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  expect(await stage.member.get(path())).toMatchObject({ status: 403 });
  expect(await stage.officer.get(path())).toMatchObject({ status: 403 });
  const regional = stage.as(stage.world.regionalAdmin);
  expect(await regional.get(path())).toMatchObject({ status: 200, body: { count: 1 } });
  expect(await regional.post(path(), invitation())).toMatchObject({ status: 403 });
});

test('another organization, its admins and its regions are a 404', async () => {
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(path('', id)));
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.post(path('', id), invitation()));
  const [row] = await asOwner<{ id: string }>('SELECT id FROM regional_admins WHERE organization_id = $1', [
    stage.other.organizationId,
  ]);
  await expectNowhere((row as { id: string }).id, (id) => stage.admin.patch(path(id), { is_active: false }));
  const answer = await stage.admin.post(path(), invitation({ region: stage.other.regionId }));
  expect(answer).toMatchObject({ status: 400, body: { errors: { region: ['There is no such region.'] } } });
  expect((await stage.admin.get(`${path()}?region=${stage.other.regionId}`)).body.count).toBe(0);
});

test("a regional admin can manage the region's chapters until deactivated", async () => {
  const { organizationId, chapterId } = stage.world;
  const { email, userId, token } = await aMember(organizationId, chapterId, 'member', 'inactive');
  const made = await stage.admin.post(path(), { ...invitation(), email });
  expect(made).toMatchObject({ status: 201, body: { user: userId, region: stage.world.regionId, is_active: true } });
  const client = stage.as({ token });
  const roster = (chapter: string) => client.get(`/api/chapters/${chapter}/members/`);
  expect((await roster(stage.world.chapterId)).status).toBe(200);
  expect((await roster(stage.world.otherChapterId)).status).toBe(403);
  await stage.admin.patch(path(made.body.id), { is_active: false });
  expect((await roster(stage.world.chapterId)).status).toBe(401);
});

test('a person can administer two regions, but not one of them twice', async () => {
  const one = invitation();
  expect((await stage.admin.post(path(), one)).status).toBe(201);
  expect((await stage.admin.post(path(), { ...one, region: stage.world.otherRegionId })).status).toBe(201);
  expect(await stage.admin.post(path(), one)).toMatchObject({ status: 409, body: { code: 'regional_admin_exists' } });
});

test('role and title can be changed, and the audit log shows the changes', async () => {
  const { body } = await stage.admin.post(path(), invitation({ title: 'Helper' }));
  const changed = await stage.admin.patch(path(body.id), { role: 'regional_director', title: null, version: 1 });
  expect(changed).toMatchObject({ status: 200, body: { role: 'regional_director', title: null, version: 2 } });
  const [entry] = await asOwner(
    `SELECT before FROM ${AUDIT_LOG} WHERE subject_id = $1 AND action = 'regional_admin.updated'`,
    [body.id],
  );
  expect(entry).toEqual({ before: { role: 'coordinator', title: 'Helper' } });
});

test('the list is one statement for any number of regional admins', async () => {
  expect(await countStatements(() => stage.admin.get(`${path()}?page_size=1`))).toBe(3);
  expect(await countStatements(() => stage.admin.get(`${path()}?page_size=100`))).toBe(3);
});

test.each([
  [{ role: 'king' }, 'role'],
  [{ role: undefined }, 'role'],
  [{ region: undefined }, 'region'],
  [{ region: 'north' }, 'region'],
  [{ email: 'x' }, 'email'],
])('%j is refused by name', async (more, field) => {
  const { status, body } = await stage.admin.post(path(), invitation(more));
  expect(status).toBe(400);
  expect(body.errors).toHaveProperty(field);
});
