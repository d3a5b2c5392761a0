import { applyNextChange } from '../../../models/organizations/lifecycle/applyChanges.js';
import { asOwner } from '../../support/owner.js';
import { aMember } from '../../support/world.js';
import { during } from '../../support/during.js';
import { countStatements } from '../../support/statements.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const list = (id = stage.world.organizationId) => `/api/organizations/${id}/chapters/`;
const path = (id = stage.world.chapterId) => `/api/chapters/${id}/`;
const names = ({ body }: { body: { results: { name: string }[] } }) => body.results.map(({ name }) => name);

test('the list of chapters needs a signed-in person', async () => {
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

test('another organization and its chapters are a 404', async () => {
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

test('a region of another organization is refused as unknown', async () => {
  const refused = { status: 400, body: { errors: { region: ['There is no such region.'] } } };
  expect(await stage.admin.post(list(), { name: 'Delta', region: stage.other.regionId })).toMatchObject(refused);
  expect(await stage.admin.patch(path(), { region: stage.other.regionId })).toMatchObject(refused);
});

test('two chapters cannot have the same name', async () => {
  expect(await stage.admin.post(list(), { name: 'Alpha' })).toMatchObject({ status: 409, body: { code: 'duplicate' } });
});

test('the list supports filters, search and ordering', async () => {
  await stage.admin.post(list(), { name: 'Kappa 100%_', status: 'inactive', city: 'Åbo' });
  expect(names(await stage.member.get(`${list()}?status=inactive`))).toEqual(['Kappa 100%_']);
  expect(names(await stage.member.get(`${list()}?region=${stage.world.otherRegionId}`))).toEqual(['Beta']);
  expect(names(await stage.member.get(`${list()}?search=alpha`))).toEqual(['Alpha']);
  expect(names(await stage.member.get(`${list()}?search=${encodeURIComponent('%_')}`))).toEqual(['Kappa 100%_']);
  expect(names(await stage.member.get(`${list()}?search=`)).length).toBeGreaterThan(2);
  expect(names(await stage.member.get(`${list()}?ordering=-name&page_size=1`))).toEqual(['Kappa 100%_']);
  expect((await stage.member.get(`${list()}?region=${stage.other.regionId}`)).body.count).toBe(0);
});

test('the list is one statement for any number of chapters', async () => {
  expect(await countStatements(() => stage.member.get(`${list()}?page_size=1`))).toBe(3);
  expect(await countStatements(() => stage.member.get(`${list()}?page_size=100&search=a`))).toBe(3);
  expect(await countStatements(() => stage.member.get(path()))).toBe(3);
});

test('regional admins edit the chapters of their region, and only the national admin changes region and status', async () => {
  const regional = stage.as(stage.world.regionalAdmin);
  expect(await regional.patch(path(), { city: 'Dayton' })).toMatchObject({ status: 200, body: { city: 'Dayton' } });
  expect(await regional.patch(path(), { status: 'suspended' })).toMatchObject({ status: 403 });
  expect(await regional.patch(path(), { region: null })).toMatchObject({ status: 403 });
  expect(await regional.patch(path(stage.world.otherChapterId), { city: 'Dayton' })).toMatchObject({ status: 403 });
  expect(await stage.officer.patch(path(), { city: 'Dayton' })).toMatchObject({ status: 403 });
  expect(await stage.member.patch(path(), { city: 'Dayton' })).toMatchObject({ status: 403 });
});

test("a chapter moved to another region is managed by that region's admins", async () => {
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

test('a status change needs a reason, which the audit log keeps, and an inactive chapter must become active first', async () => {
  const { id } = (await stage.admin.post(list(), { name: 'Omicron' })).body;
  const to = async (status: string, more: object = { reason: 'Decided by the council' }) => {
    const { status: code, body } = await stage.admin.patch(path(id), { status, ...more });
    return code === 200 ? body.status : body.code;
  };
  expect(await to('suspended', {})).toBe('validation_error');
  expect(await to('active')).toBe('validation_error');
  expect(await to('suspended')).toBe('suspended');
  expect(await to('active')).toBe('active');
  expect(await to('inactive')).toBe('inactive');
  expect(await to('suspended')).toBe('transition_not_allowed');
  expect(await to('active')).toBe('active');
  expect(await to('suspended')).toBe('suspended');
  expect(await to('inactive')).toBe('inactive');
  const [entry] = await asOwner('SELECT before, after FROM audit_log WHERE subject_id = $1 ORDER BY id DESC LIMIT 1', [
    id,
  ]);
  expect(entry).toEqual({
    before: { status: 'suspended' },
    after: { status: 'inactive', reason: 'Decided by the council' },
  });
});

test('an inactive chapter adds no members, and its people sign in and work as before', async () => {
  const { chapterId, admin, officer, member } = stage.world;
  const members = `/api/chapters/${chapterId}/members/`;
  const newcomer = { email: 'newcomer@example.org', first_name: 'New', last_name: 'Comer' };
  const invited = (await stage.admin.post(members, newcomer)).body.id;
  const as = stage.as(admin);
  await as.patch(path(), { status: 'suspended', reason: 'Under review' });
  const refused = { status: 409, body: { code: 'chapter_not_active' } };
  // Addresses known here, known elsewhere, and unknown.
  for (const email of [admin.email, stage.other.member.email, 'nobody@example.org']) {
    expect(await stage.officer.post(members, { ...newcomer, email })).toMatchObject(refused);
  }
  const request = { ...newcomer, email: 'asked@example.org', justification: 'Transferred credits' };
  expect(await stage.officer.post(`/api/chapters/${chapterId}/member-add-requests/`, request)).toMatchObject(refused);
  await asOwner(`UPDATE invitations SET mailed_at = now() - interval '2 days' WHERE membership_id = $1`, [invited]);
  expect(await stage.officer.post(`/api/memberships/${invited}/invite/`)).toMatchObject(refused);
  for (const person of [officer, member]) expect((await stage.as(person).get(members)).status).toBe(200);
  expect((await stage.officer.patch(`/api/memberships/${member.membershipId}/`, { line_number: 7 })).status).toBe(200);
  expect((await stage.officer.get(`/api/chapters/${chapterId}/invoices/`)).status).toBe(200);
  await as.patch(path(), { status: 'active', reason: 'Cleared' });
  expect((await stage.officer.post(members, { ...newcomer, email: 'nobody@example.org' })).status).toBe(201);
});

test('adding a member while the chapter is being suspended waits and is refused', async () => {
  const { otherChapterId: id, otherOfficer } = stage.world;
  const add = (n: number) => () =>
    stage.as(otherOfficer).post(`/api/chapters/${id}/members/`, {
      email: `late${n}@example.org`,
      first_name: 'Late',
      last_name: 'Comer',
    });
  const suspend = `UPDATE chapters SET status = 'suspended' WHERE id = $1`;
  for (const answer of await during(suspend, [id], [add(1), add(2)]))
    expect(answer).toMatchObject({ status: 409, body: { code: 'chapter_not_active' } });
  expect(await asOwner(`SELECT FROM users WHERE typed_email LIKE 'late%'`)).toEqual([]);
});

describe('intake of an inactive chapter', () => {
  const suspended = { status: 'suspended', reason: 'Under review' };
  const refused = { status: 409, body: { code: 'chapter_not_active' } };
  const membership = (id: string) => `/api/memberships/${id}/`;
  const aChapter = async () => (await stage.admin.post(list(), { name: `Chapter ${Math.random()}` })).body.id as string;
  const prospect = async (chapter: string) =>
    (await aMember(stage.world.organizationId, chapter, 'member', 'pnm')).membershipId;
  const status = async (id: string) => (await stage.admin.get(membership(id))).body.status;

  test('no prospect of an inactive chapter crosses or becomes prospective again by any path', async () => {
    const chapter = await aChapter();
    const [waiting, rejected, disaffiliated] = [
      await prospect(chapter),
      await prospect(chapter),
      await prospect(chapter),
    ];
    await stage.admin.patch(membership(rejected), { status: 'inactive' });
    await stage.admin.patch(membership(disaffiliated), { status: 'disaffiliated', reason: 'Decided.' });
    await stage.admin.patch(path(chapter), suspended);
    const profiles = (await stage.admin.get(`/api/chapters/${chapter}/pnm/`)).body.results as {
      id: string;
      membership: string;
    }[];
    const pnm = profiles.find((one) => one.membership === waiting)?.id;
    for (const answer of [
      await stage.admin.patch(membership(waiting), { status: 'undergrad' }),
      await stage.admin.patch(membership(waiting), { status: 'associate' }),
      await stage.admin.patch(membership(rejected), { status: 'pnm' }),
      await stage.admin.patch(membership(disaffiliated), { status: 'pnm', reason: 'A mistake.' }),
      await stage.admin.post(`/api/pnm/${pnm}/transition/`, { to: 'approved' }),
      await stage.admin.post(`/api/chapters/${chapter}/pnm/cross/`, { pnm_ids: [pnm], dry_run: true }),
    ])
      expect(answer).toMatchObject(refused);
    await expect(asOwner(`UPDATE memberships SET status = 'alumni' WHERE id = $1`, [waiting])).rejects.toThrow(
      /no intake/,
    );
    expect([await status(waiting), await status(rejected), await status(disaffiliated)]).toEqual([
      'pnm',
      'inactive',
      'disaffiliated',
    ]);
    // A prospect can still leave, and can return and cross after the chapter is active again.
    expect((await stage.admin.patch(membership(waiting), { status: 'inactive' })).status).toBe(200);
    await stage.admin.patch(path(chapter), { status: 'active', reason: 'Cleared' });
    expect((await stage.admin.patch(membership(waiting), { status: 'pnm' })).status).toBe(200);
    expect((await stage.admin.patch(membership(waiting), { status: 'undergrad' })).status).toBe(200);
  });

  test('a change scheduled before the suspension is refused on its day', async () => {
    const chapter = await aChapter();
    const id = await prospect(chapter);
    const [days] = await asOwner<{ today: string; tomorrow: string }>(
      `SELECT (now() AT TIME ZONE 'UTC')::date::text AS today, ((now() AT TIME ZONE 'UTC')::date + 1)::text AS tomorrow`,
    );
    const change = { status: 'undergrad', effective_on: days?.tomorrow };
    expect((await stage.admin.patch(membership(id), change)).status).toBe(202);
    await stage.admin.patch(path(chapter), suspended);
    await asOwner('UPDATE membership_scheduled_changes SET effective_on = $2::date WHERE membership_id = $1', [
      id,
      days?.today,
    ]);
    const { organizationId } = stage.world;
    while (await applyNextChange({ organizationId, day: days?.today as string }));
    expect((await stage.admin.get(`${membership(id)}scheduled-changes/`)).body.results).toMatchObject([
      { state: 'refused', refusal: 'chapter_not_active' },
    ]);
    expect(await status(id)).toBe('pnm');
  });

  test('a crossing while the chapter is being suspended waits and is refused', async () => {
    const chapter = await aChapter();
    const id = await prospect(chapter);
    const suspend = `UPDATE chapters SET status = 'suspended' WHERE id = $1`;
    const cross = () => stage.admin.patch(membership(id), { status: 'undergrad' });
    for (const answer of await during(suspend, [chapter], [cross])) expect(answer).toMatchObject(refused);
    expect(await status(id)).toBe('pnm');
  });

  test('a crossing from before the suspension can be reverted', async () => {
    const chapter = await aChapter();
    const id = await prospect(chapter);
    await stage.admin.patch(membership(id), { status: 'undergrad' });
    await stage.admin.patch(path(chapter), suspended);
    const [crossing] = await asOwner<{ id: string }>('SELECT id FROM crossings WHERE membership_id = $1', [id]);
    expect((await stage.admin.post(`/api/crossings/${crossing?.id}/revert/`, { reason: 'A mistake.' })).status).toBe(
      200,
    );
    expect(await status(id)).toBe('pnm');
  });
});
