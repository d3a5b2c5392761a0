/** Tests exports of rosters: who may create one, its contents, and when it is deleted. */
import { createHash } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { removeNextFiles } from '../../../activities/organizations/removeFiles.js';
import { cancelRosterExport, writeRoster } from '../../../activities/organizations/rosterExports.js';
import { ERASED_ADDRESS } from '../../../models/identity/deletion/erased.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { rosterColumns } from '../../../models/organizations/roster-exports/members.js';
import { beginExport, completeExport, readNextRows } from '../../../models/organizations/roster-exports/writeExport.js';
import { aStore } from '../../gateways/storage.support.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aPlaceholder, aWorld, type World } from '../../support/world.js';

const storage = aStore();
const stage = apiWorld();
const environment = new MockActivityEnvironment();
const inOrder = (a = '', b = '') => (a < b ? -1 : 1);
const MOST = { csv: 1_000_000, xlsx: 1_000_000 };

const path = (world: World) => `/api/organizations/${world.organizationId}/roster-exports/`;
const one = (id: string) => `/api/roster-exports/${id}/`;
const post = (world: World, body: object = { format: 'csv' }) => stage.as(world.admin).post(path(world), body);
const read = async (world: World, id: string) => (await stage.as(world.admin).get(one(id))).body;
async function requested(world: World, body: object = { format: 'csv' }): Promise<string> {
  const answer = await post(world, body);
  expect([answer.status, answer.body.status, answer.body.download_url]).toEqual([202, 'running', null]);
  return answer.body.id;
}
const write = ({ organizationId }: World, exportId: string) =>
  environment.run(writeRoster, { organizationId, exportId });
const bytesOf = async (world: World, id: string) =>
  Buffer.from(await (await fetch((await read(world, id)).download_url)).arrayBuffer());
async function exported(world: World, filters: object = {}): Promise<string[]> {
  const id = await requested(world, { format: 'csv', filters });
  await write(world, id);
  return (await bytesOf(world, id)).toString().split('\r\n').slice(1, -1);
}
const emails = async (world: World, filters: object = {}) =>
  (await exported(world, filters)).map((line) => line.split(',')[0]).toSorted(inOrder);
const files = (world: World) =>
  asOwner<{ status: string }>('SELECT status FROM stored_files WHERE organization_id = $1 ORDER BY id', [
    world.organizationId,
  ]);
const emailOf = async ({ userId }: { userId: string }) =>
  (await asOwner<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]))[0]?.email;

test('exports are for admins of their organization', async () => {
  const { world, other } = stage;
  const id = await requested(world);
  expect((await stage.nobody.get(path(world))).status).toBe(401);
  for (const person of [world.officer, world.regionalAdmin, world.member]) {
    expect((await stage.as(person).get(path(world))).status).toBe(403);
    expect((await stage.as(person).post(path(world), { format: 'csv' })).status).toBe(403);
    expect((await stage.as(person).get(one(id))).status).toBe(403);
    expect((await stage.as(person).post(`${one(id)}cancel/`)).status).toBe(403);
  }
  await expectNowhere(world.organizationId, (of) =>
    stage.as(other.admin).get(`/api/organizations/${of}/roster-exports/`),
  );
  await expectNowhere(id, (of) => stage.as(other.admin).get(one(of)));
  await expectNowhere(id, (of) => stage.as(other.admin).post(`${one(of)}cancel/`));
  await write(world, id);
  const { file } = await read(world, id);
  expect((await stage.as(world.officer).get(`/api/files/${file}/`)).status).toBe(404);
  expect((await stage.as(other.admin).get(`/api/files/${file}/`)).status).toBe(404);
  expect(
    (await stage.as(world.admin).post(`/api/organizations/${world.organizationId}/files/?purpose=roster_export`))
      .status,
  ).toBe(400);
});

test.each([
  ['format', { format: 'pdf' }],
  ['filters.status', { format: 'csv', filters: { status: 'retired' } }],
  ['filters.search', { format: 'csv', filters: { search: 'Smith' } }],
  ['rows', { format: 'csv', rows: 5 }],
])('%s is refused where it makes no sense', async (field, body) => {
  const answer = await post(stage.other, body);
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.body.errors).join()).toContain(field.split('.')[0]);
});

test("another organization's chapters and regions are refused as unknown", async () => {
  const { chapterId: chapter, regionId: region } = stage.other;
  expect(await post(stage.world, { format: 'csv', filters: { chapter, region } })).toMatchObject({
    status: 400,
    body: {
      errors: { 'filters.chapter': ['There is no such chapter.'], 'filters.region': ['There is no such region.'] },
    },
  });
});

test.each([
  ['csv', 'text/csv'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
])('a roster as %s is one object with a file name, and a repeated write keeps it', async (format, type) => {
  const world = await aWorld();
  const id = await requested(world, { format });
  expect(await write(world, id)).toBe('ready');
  expect(await write(world, id)).toBe('ready');
  const found = await read(world, id);
  expect(found).toMatchObject({ status: 'ready', members_total: 7, rows_written: 7, requested_by: world.admin.userId });
  expect(found.workflow_id).toBe(`roster-export/${id}`);
  expect(Date.parse(found.available_until) - Date.parse(found.ended_at)).toBe(3 * 86_400_000);
  const answer = await fetch(found.download_url);
  expect(answer.headers.get('content-type')).toBe(type);
  expect(answer.headers.get('content-disposition')).toMatch(
    new RegExp(`^attachment; filename="roster-\\d{4}-\\d\\d-\\d\\d.${format}"`),
  );
  expect(new URL(found.download_url).searchParams.get('X-Amz-Expires')).toBe('300');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(
    await asOwner('SELECT size_bytes::int, sha256, uploaded_by FROM stored_files WHERE id = $1', [found.file]),
  ).toEqual([
    {
      size_bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      uploaded_by: world.admin.userId,
    },
  ]);
  expect(await files(world)).toEqual([{ status: 'kept' }]);
  const list = await stage.as(world.admin).get(path(world));
  expect(list.body.results).toMatchObject([{ id, file: found.file }]);
  expect(JSON.stringify(list.body)).not.toContain('X-Amz');
});

test('an export contains the columns of an import and no formulas', async () => {
  const world = await aWorld({ members: 1 });
  const person = await aMember(world.organizationId, world.chapterId);
  await asOwner(
    `UPDATE users SET first_name = '=cmd|x', last_name = '-Smith', phone_number = '+15550100' WHERE id = $1`,
    [person.userId],
  );
  await asOwner(
    `UPDATE memberships SET joined_date = '2024-09-01', graduation_year = 2027, graduation_season = 'FALL', pledge_class = 'Beta, new',
       line_number = 7, crossing_semester = 'Fall 2024', crossing_date = '2024-11-30' WHERE id = $1`,
    [person.membershipId],
  );
  const lines = await exported(world);
  expect(lines).toContain(
    `${await emailOf(person)},'=cmd|x,'-Smith,'+15550100,Alpha,member,undergrad,2024-09-01,2027,FALL,"Beta, new",7,Fall 2024,2024-11-30`,
  );
  expect(
    rosterColumns(false)
      .map(({ title }) => title)
      .join(),
  ).toBe(
    'Email,First name,Last name,Phone number,Chapter,Role,Status,Joined date,Graduation year,Graduation season,Pledge class,Line number,Crossing semester,Crossing date',
  );
});

test('filters work as on the roster and combine', async () => {
  const world = await aWorld({ members: 1 });
  const { chapterId: chapter, regionId: region, otherRegionId } = world;
  expect(await exported(world)).toHaveLength(5);
  expect(await emails(world, { chapter })).toEqual(
    [await emailOf(world.officer), await emailOf(world.member)].toSorted(inOrder),
  );
  expect(await emails(world, { region })).toEqual(await emails(world, { chapter }));
  expect(await exported(world, { region: otherRegionId, chapter })).toEqual([]);
  expect(await emails(world, { chapter, role: 'officer' })).toEqual([await emailOf(world.officer)]);
  expect(await emails(world, { status: 'alumni' })).toEqual(
    [await emailOf(world.admin), await emailOf(world.regionalAdmin)].toSorted(inOrder),
  );
  await asOwner(`UPDATE memberships SET pledge_class = 'Beta', graduation_year = 2030 WHERE id = $1`, [
    world.member.membershipId,
  ]);
  for (const filter of [{ pledge_class: 'Beta' }, { graduation_year: 2030 }])
    expect(await emails(world, filter)).toEqual([await emailOf(world.member)]);
});

test('an invited person is exported with the entered address, and declined and erased people are left out', async () => {
  const world = await aWorld({ members: 1 });
  const { organizationId, chapterId } = world;
  for (const declined of [false, true]) {
    const userId = await aPlaceholder(organizationId, `asked-${declined}@example.org`);
    await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
      organizationId,
      userId,
      chapterId,
    ]);
    if (declined) await asOwner('UPDATE users SET typed_email = NULL WHERE id = $1', [userId]);
  }
  const { userId: erased } = await aMember(organizationId, chapterId, 'member', 'inactive');
  await asOwner(`UPDATE users SET email = ${ERASED_ADDRESS}, disabled_at = now() WHERE id = $1`, [erased]);
  const found = await emails(world, { chapter: chapterId });
  expect(found).toContain('asked-false@example.org');
  expect(found).toHaveLength(3);
});

test('chapters whose names differ only by case are exported by id', async () => {
  const world = await aWorld({ members: 1 });
  await asOwner(`INSERT INTO chapters (organization_id, name) VALUES ($1, 'ALPHA')`, [world.organizationId]);
  for (const line of await exported(world, { chapter: world.chapterId }))
    expect(line.split(',')[4]).toBe(world.chapterId);
});

describe('an export of more members than a batch', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld({ members: 1 });
    await asOwner(
      `WITH people AS (
         INSERT INTO users (email, first_name, last_name)
         SELECT 'paged-' || n || '@example.org', 'A', 'B' FROM generate_series(1, 1200) n RETURNING id)
       INSERT INTO memberships (organization_id, user_id, chapter_id)
       SELECT $1, id, CASE WHEN random() < 0.5 THEN $2::uuid ELSE $3::uuid END FROM people`,
      [world.organizationId, world.chapterId, world.otherChapterId],
    );
  });

  test('an export of several batches contains each member once', async () => {
    const found = await emails(world);
    expect(found).toHaveLength(1205);
    expect(new Set(found).size).toBe(1205);
  });

  test('a batch takes a constant number of statements, and the list one', async () => {
    const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
    const id = await requested(world);
    await inWorld(() => beginExport(id, MOST));
    const page = (filters: object) =>
      countStatements(() => inWorld(() => readNextRows(id, { filters, with_profiles: true }, null, 0)));
    expect(await page({})).toBe(await page({ chapter: world.chapterId, role: 'officer' }));
    await cancelRosterExport({ organizationId: world.organizationId, exportId: id });
    const list = () => countStatements(() => stage.as(world.admin).get(path(world)));
    await list();
    const few = await list();
    await asOwner(
      `INSERT INTO roster_exports (organization_id, format, status, ended_at)
       SELECT $1, 'csv', 'cancelled', now() FROM generate_series(1, 10)`,
      [world.organizationId],
    );
    expect(await list()).toBe(few);
  });

  test('an export cancelled while it is written stops and leaves no file', async () => {
    const id = await requested(world);
    const { organizationId } = world;
    const { file, ...wanted } = await inTenant(organizationId, () => beginExport(id, MOST));
    const first = await inTenant(organizationId, () => readNextRows(id, wanted, null, 0));
    expect(first?.rows).toHaveLength(500);
    expect(await read(world, id)).toMatchObject({ status: 'running', rows_written: 500, members_total: 1205 });
    expect((await stage.as(world.admin).post(`${one(id)}cancel/`)).body).toMatchObject({ status: 'cancelled' });
    expect(await inTenant(organizationId, () => readNextRows(id, wanted, first?.last ?? null, 500))).toBeNull();
    const facts = { name: 'x.csv', media_type: 'text/csv', size_bytes: 1, sha256: '0'.repeat(64) };
    expect(await inTenant(organizationId, () => completeExport(id, file?.id as string, facts))).toBe('cancelled');
    expect((await files(world)).at(-1)).toEqual({ status: 'removing' });
    expect(await write(world, id)).toBe('cancelled');
    const again = await stage.as(world.admin).post(`${one(id)}cancel/`);
    expect([again.status, again.body.code]).toEqual([409, 'export_ended']);
    for (let n = 0; n < 2; n += 1) await environment.run(cancelRosterExport, { organizationId, exportId: id });
    expect(await read(world, id)).toMatchObject({ status: 'cancelled', download_url: null, available_until: null });
  });
});

test('one export runs at a time, and the number of exports is limited', async () => {
  const world = await aWorld({ members: 1 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(world)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, ...Array<number>(9).fill(409)]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('export_in_progress');
  await asOwner(`UPDATE roster_exports SET status = 'cancelled', ended_at = now() WHERE organization_id = $1`, [
    world.organizationId,
  ]);
  await asOwner(
    `INSERT INTO roster_exports (organization_id, format, status, ended_at, requested_by)
     SELECT $1, 'csv', 'cancelled', now(), $2 FROM generate_series(1, 50)`,
    [world.organizationId, world.admin.userId],
  );
  expect((await post(world)).body.code).toBe('too_many_exports');
});

test('an outage of the store leaves no roster, and the retry begins again', async () => {
  const world = await aWorld({ members: 1 });
  const id = await requested(world);
  storage.fail(503, 3);
  await expect(write(world, id)).rejects.toThrow('The store');
  expect(await read(world, id)).toMatchObject({ status: 'running', file: null });
  expect(await write(world, id)).toBe('ready');
  expect(await files(world)).toEqual([{ status: 'removing' }, { status: 'kept' }]);
  expect((await bytesOf(world, id)).toString().split('\r\n')).toHaveLength(7);
});

test('a worksheet that cannot hold all members is not begun', async () => {
  const world = await aWorld({ members: 1 });
  const id = await requested(world, { format: 'xlsx' });
  const begun = await inTenant(world.organizationId, () => beginExport(id, { csv: 4, xlsx: 4 }));
  expect(begun).toMatchObject({ status: 'failed', file: null });
  expect(await read(world, id)).toMatchObject({ status: 'failed', failure: 'too_many_rows', members_total: 5 });
});

test('after three days the file is deleted, also in the store, and the row keeps its requester', async () => {
  const world = await aWorld({ members: 1 });
  const id = await requested(world);
  await write(world, id);
  const { file } = await read(world, id);
  const key = `${world.organizationId}/${file}`;
  const age = (hours: number) =>
    asOwner(
      `WITH older AS (UPDATE stored_files SET kept_at = now() - $2::int * interval '1 hour' WHERE id = $1)
       UPDATE roster_exports SET ended_at = now() - $2::int * interval '1 hour' WHERE file_id = $1`,
      [file, hours],
    ).catch((error: unknown) => error);
  await asOwner('ALTER TABLE stored_files DISABLE TRIGGER stored_files_keep');
  await age(71);
  await removeNextFiles();
  expect(storage.objects.keys()).toContain(key);
  await age(73);
  await asOwner('ALTER TABLE stored_files ENABLE TRIGGER stored_files_keep');
  expect((await read(world, id)).download_url).toBeNull();
  await removeNextFiles();
  expect(storage.objects.keys()).not.toContain(key);
  expect(await read(world, id)).toMatchObject({ status: 'ready', file: null, download_url: null });
});
