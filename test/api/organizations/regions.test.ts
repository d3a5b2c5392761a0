import { asOwner } from '../../support/owner.js';
import { apiWorld } from '../../support/apiWorld.js';
import { during } from '../../support/during.js';
import { behavesAsAResource } from '../../support/resource.js';

const stage = apiWorld();
const path = (region = '', id = stage.world.organizationId) =>
  `/api/organizations/${id}/regions/${region && `${region}/`}`;

behavesAsAResource({
  stage,
  address: '/api/organizations/:organization_id/regions',
  subject: 'region',
  mayRead: ['admin', 'regionalAdmin', 'officer', 'member'],
  mayWrite: ['admin'],
  body: (_, n) => ({ name: `Region ${n}`, states: ['OH'] }),
  edit: (n) => ({ name: `Other ${n}`, states: ['WA'] }),
  bad: [
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ states: ['Ohio'] }, 'states.0'],
    [{ states: 'OH' }, 'states'],
    [{ states: Array.from({ length: 101 }, () => 'OH') }, 'states'],
    [{ organization: 'Y' }, 'organization'],
  ],
});

test('the list is a bare array by name', async () => {
  const names = (await stage.member.get(path())).body.map(({ name }: { name: string }) => name);
  expect(names.slice(0, 1)).toEqual(['North']);
  expect(names).toEqual(names.toSorted((one: string, other: string) => one.localeCompare(other, 'en')));
});

test('states are stored in upper case, once each, and the audit log shows the changes', async () => {
  const made = await stage.admin.post(path(), { name: ' West ', states: ['ca', 'OR', 'CA'] });
  expect(made).toMatchObject({ status: 201, body: { name: 'West', states: ['CA', 'OR'], version: 1 } });
  await stage.admin.patch(path(made.body.id), { states: ['WA'], version: 1 });
  const [entry] = await asOwner(
    `SELECT before, after FROM audit_log WHERE subject_id = $1 AND action = 'region.updated'`,
    [made.body.id],
  );
  expect(entry).toEqual({ before: { states: ['CA', 'OR'] }, after: { states: ['WA'] } });
});

test('two regions cannot have the same name', async () => {
  const answer = await stage.admin.post(path(), { name: 'North' });
  expect(answer).toMatchObject({ status: 409, body: { code: 'duplicate', errors: { name: [expect.any(String)] } } });
  expect((await stage.admin.patch(path(stage.world.otherRegionId), { name: 'North' })).status).toBe(409);
});

test('two organizations can have regions of the same name', async () => {
  await stage.admin.post(path(), { name: 'Far' });
  const there = await stage.as(stage.other.admin).post(path('', stage.other.organizationId), { name: 'Far' });
  expect(there.status).toBe(201);
});

test('a region in use cannot be deleted, but can be deactivated, and then gets no new chapters or admins', async () => {
  const { regionId, otherRegionId, chapterId } = stage.world;
  const inUse = { status: 409, body: { code: 'region_in_use' } };
  expect(await stage.admin.delete(path(regionId))).toMatchObject(inUse);
  const { id } = (await stage.admin.post(path(), { name: 'Lone' })).body;
  const { user } = (await stage.admin.get(`/api/memberships/${stage.world.member.membershipId}/`)).body;
  await asOwner(
    `INSERT INTO regional_admins (organization_id, region_id, user_id, role, is_active) VALUES ($1, $2, $3, 'coordinator', false)`,
    [stage.world.organizationId, id, user],
  );
  expect(await stage.admin.delete(path(id))).toMatchObject(inUse);
  expect(await stage.admin.patch(path(otherRegionId), { is_active: false })).toMatchObject({
    status: 200,
    body: { is_active: false },
  });
  const resting = { status: 400, body: { errors: { region: ['This region is not active.'] } } };
  expect(await stage.admin.patch(`/api/chapters/${chapterId}/`, { region: otherRegionId })).toMatchObject(resting);
  const chapters = `/api/organizations/${stage.world.organizationId}/chapters/`;
  expect(await stage.admin.post(chapters, { name: 'Gamma', region: otherRegionId })).toMatchObject(resting);
  const admins = `/api/organizations/${stage.world.organizationId}/regional-admins/`;
  const person = { email: stage.world.member.email, first_name: 'A', last_name: 'B', role: 'coordinator' };
  expect(await stage.admin.post(admins, { ...person, region: otherRegionId })).toMatchObject(resting);
  const stays = `/api/chapters/${stage.world.otherChapterId}/`;
  expect((await stage.admin.patch(stays, { region: otherRegionId, city: 'Akron' })).status).toBe(200);
});

test("a concurrent move of a chapter to a region prevents the region's deletion", async () => {
  const { id } = (await stage.admin.post(path(), { name: 'Contested' })).body;
  const moves = 'UPDATE chapters SET region_id = $1 WHERE id = $2';
  const [answer] = await during(moves, [id, stage.world.chapterId], [() => stage.admin.delete(path(id))]);
  expect(answer).toMatchObject({ status: 409, body: { code: 'region_in_use' } });
});
