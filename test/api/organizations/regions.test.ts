import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const path = (region = '', id = stage.world.organizationId) =>
  `/api/organizations/${id}/regions/${region && `${region}/`}`;

test('regions need a signed-in person, and changes a national admin', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  const { member, officer, regionalAdmin, regionId } = stage.world;
  for (const person of [member, officer, regionalAdmin]) {
    expect(await stage.as(person).post(path(), { name: 'West' })).toMatchObject({ status: 403 });
    expect(await stage.as(person).patch(path(regionId), { name: 'West' })).toMatchObject({ status: 403 });
  }
});

test('the list is a bare array by name, for every member, in one statement', async () => {
  const { status, body } = await stage.member.get(path());
  expect(status).toBe(200);
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['North', 'South']);
  expect(await countStatements(() => stage.member.get(path()))).toBe(3);
});

test('another organization and its regions are not there', async () => {
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(path('', id)));
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.post(path('', id), { name: 'West' }));
  await expectNowhere(stage.other.regionId, (id) => stage.admin.get(path(id)));
  await expectNowhere(stage.other.regionId, (id) => stage.admin.patch(path(id), { name: 'West' }));
});

test('a national admin creates and changes a region', async () => {
  const made = await stage.admin.post(path(), { name: ' West ', states: ['ca', 'OR', 'CA'] });
  expect(made).toMatchObject({ status: 201, body: { name: 'West', states: ['CA', 'OR'], version: 1 } });
  const where = path(made.body.id);
  expect((await stage.member.get(where)).body).toEqual(made.body);
  const changed = await stage.admin.patch(where, { states: ['WA'], version: 1 });
  expect(changed).toMatchObject({ status: 200, body: { name: 'West', states: ['WA'], version: 2 } });
  const [entry] = await asOwner(
    `SELECT before, after FROM audit_log WHERE subject_id = $1 AND action = 'region.updated'`,
    [made.body.id],
  );
  expect(entry).toEqual({ before: { states: ['CA', 'OR'] }, after: { states: ['WA'] } });
});

test('two regions have two names', async () => {
  const answer = await stage.admin.post(path(), { name: 'North' });
  expect(answer).toMatchObject({ status: 409, body: { code: 'duplicate', errors: { name: [expect.any(String)] } } });
  expect((await stage.admin.patch(path(stage.world.otherRegionId), { name: 'North' })).status).toBe(409);
});

test('the same name in another organization is nothing to this one', async () => {
  await stage.admin.post(path(), { name: 'Far' });
  const there = await stage.as(stage.other.admin).post(path('', stage.other.organizationId), { name: 'Far' });
  expect(there.status).toBe(201);
});

test.each([
  [{}, 'name'],
  [{ name: '' }, 'name'],
  [{ name: 'X', states: ['Ohio'] }, 'states.0'],
  [{ name: 'X', states: 'OH' }, 'states'],
  [{ name: 'X', states: Array.from({ length: 101 }, () => 'OH') }, 'states'],
  [{ name: 'X', organization: 'Y' }, 'organization'],
])('%j is refused by name', async (body, field) => {
  const answer = await stage.admin.post(path(), body);
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.body.errors)).toContain(field);
});
