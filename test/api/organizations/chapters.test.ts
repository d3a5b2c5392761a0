import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const list = (id = stage.world.organizationId) => `/api/organizations/${id}/chapters/`;
const path = (id = stage.world.chapterId) => `/api/chapters/${id}/`;
const names = ({ body }: { body: { results: { name: string }[] } }) => body.results.map(({ name }) => name);

test('chapters need a signed-in person', async () => {
  expect(await stage.nobody.get(list())).toMatchObject({ status: 401 });
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
});

test('every member reads the chapters of the organization', async () => {
  expect(names(await stage.member.get(list()))).toEqual(['Alpha', 'Beta']);
  const { status, body } = await stage.member.get(path(stage.world.otherChapterId));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    organization: stage.world.organizationId,
    region: stage.world.otherRegionId,
    name: 'Beta',
    status: 'active',
  });
});

test('another organization and its chapters are not there', async () => {
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(list(id)));
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.post(list(id), { name: 'X' }));
  await expectNowhere(stage.other.chapterId, (id) => stage.admin.get(path(id)));
  for (const client of [stage.admin, stage.officer, stage.member, stage.as(stage.world.regionalAdmin)]) {
    await expectNowhere(stage.other.chapterId, (id) => client.patch(path(id), { name: 'X' }));
  }
});

test('only national admins create chapters', async () => {
  for (const person of [stage.world.member, stage.world.officer, stage.world.regionalAdmin]) {
    expect(await stage.as(person).post(list(), { name: 'Gamma' })).toMatchObject({ status: 403 });
  }
  const fields = {
    name: 'Gamma',
    region: stage.world.regionId,
    designation: 'GA',
    university: 'State University',
    city: 'Columbus',
    state: 'OH',
    founded_date: '1921-09-01',
    status: 'suspended',
  };
  expect(await stage.admin.post(list(), fields)).toMatchObject({ status: 201, body: { ...fields, version: 1 } });
});

test('a region of another organization is no region', async () => {
  const refused = { status: 400, body: { errors: { region: ['There is no such region.'] } } };
  expect(await stage.admin.post(list(), { name: 'Delta', region: stage.other.regionId })).toMatchObject(refused);
  expect(await stage.admin.patch(path(), { region: stage.other.regionId })).toMatchObject(refused);
});

test('two chapters have two names', async () => {
  expect(await stage.admin.post(list(), { name: 'Alpha' })).toMatchObject({ status: 409, body: { code: 'duplicate' } });
});

test('filters, search and ordering', async () => {
  await stage.admin.post(list(), { name: 'Kappa 100%_', status: 'inactive', city: 'Åbo' });
  expect(names(await stage.member.get(`${list()}?status=inactive`))).toEqual(['Kappa 100%_']);
  expect(names(await stage.member.get(`${list()}?region=${stage.world.otherRegionId}`))).toEqual(['Beta']);
  expect(names(await stage.member.get(`${list()}?search=alpha`))).toEqual(['Alpha']);
  expect(names(await stage.member.get(`${list()}?search=${encodeURIComponent('%_')}`))).toEqual(['Kappa 100%_']);
  expect(names(await stage.member.get(`${list()}?search=`)).length).toBeGreaterThan(2);
  expect(names(await stage.member.get(`${list()}?ordering=-name&page_size=1`))).toEqual(['Kappa 100%_']);
  expect((await stage.member.get(`${list()}?region=${stage.other.regionId}`)).body.count).toBe(0);
});

test('the list is one statement, however many there are', async () => {
  expect(await countStatements(() => stage.member.get(`${list()}?page_size=1`))).toBe(3);
  expect(await countStatements(() => stage.member.get(`${list()}?page_size=100&search=a`))).toBe(3);
  expect(await countStatements(() => stage.member.get(path()))).toBe(3);
});

test('regional admins describe the chapters of their region; region and status are the national admin’s', async () => {
  const regional = stage.as(stage.world.regionalAdmin);
  expect(await regional.patch(path(), { city: 'Dayton' })).toMatchObject({ status: 200, body: { city: 'Dayton' } });
  expect(await regional.patch(path(), { status: 'suspended' })).toMatchObject({ status: 403 });
  expect(await regional.patch(path(), { region: null })).toMatchObject({ status: 403 });
  expect(await regional.patch(path(stage.world.otherChapterId), { city: 'Dayton' })).toMatchObject({ status: 403 });
  expect(await stage.officer.patch(path(), { city: 'Dayton' })).toMatchObject({ status: 403 });
  expect(await stage.member.patch(path(), { city: 'Dayton' })).toMatchObject({ status: 403 });
});

test('a chapter that changes its region changes its regional admins', async () => {
  const regional = stage.as(stage.world.regionalAdmin);
  await stage.admin.patch(path(), { region: stage.world.otherRegionId });
  expect((await regional.patch(path(), { city: 'Toledo' })).status).toBe(403);
  const { body } = await stage.admin.patch(path(), { region: stage.world.regionId });
  expect((await regional.patch(path(), { city: 'Toledo', version: body.version })).status).toBe(200);
  expect((await regional.patch(path(), { city: 'Akron', version: body.version })).body.code).toBe('stale_version');
  const [entry] = await asOwner(
    `SELECT before, after FROM audit_log WHERE subject_id = $1 AND after ? 'region_id' ORDER BY id LIMIT 1`,
    [stage.world.chapterId],
  );
  expect(entry).toEqual({
    before: { region_id: stage.world.regionId },
    after: { region_id: stage.world.otherRegionId },
  });
});

test.each([
  [{}, 'name'],
  [{ name: 'X', status: 'closed' }, 'status'],
  [{ name: 'X', founded_date: '0000-01-01' }, 'founded_date'],
  [{ name: 'X', founded_date: '2023-02-29' }, 'founded_date'],
  [{ name: 'X', founded_date: '9999-01-01' }, 'founded_date'],
  [{ name: 'X', city: 7 }, 'city'],
  [{ name: 'X', university: 'x'.repeat(201) }, 'university'],
  [{ name: 'X', organization: 'Y' }, 'organization'],
])('%j is refused by name', async (body, field) => {
  const answer = await stage.admin.post(list(), body);
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toHaveProperty(field);
});
