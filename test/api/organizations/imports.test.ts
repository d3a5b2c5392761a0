/** Tests imports: a table is previewed line by line, processed exactly so, and undone. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { finishImportStep, takeLines } from '../../../activities/organizations/imports.js';
import { removeNextFiles } from '../../../activities/organizations/removeFiles.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { declineForAddresses } from '../../../models/organizations/invitations/declineInvitation.js';
import { lockPlaceholder } from '../../../models/organizations/invitations/placeholders.js';
import { replacePlaceholder } from '../../../models/organizations/invitations/replacePlaceholder.js';
import { createAccount } from '../../../models/identity/createAccount.js';
import { carryOver } from '../../../models/intake/crossings/crossingSteps.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { readInvariants } from '../../../models/finances/checkLedger.js';
import type { ImportStepInput } from '../../../workflows/contracts/importStep.js';
import { aStore } from '../../gateways/storage.support.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { during } from '../../support/during.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice, aWorld, type Person, type World } from '../../support/world.js';
import { uploadImport, workImport } from '../../support/importing.js';

aStore();
const environment = new MockActivityEnvironment();
const stage = apiWorld();

type Row = Record<string, unknown>;
const adminOf = (world: World) => stage.as(world.admin);
const path = (world: World) => `/api/organizations/${world.organizationId}/imports/`;
const one = (id: string, rest = '') => `/api/imports/${id}/${rest}`;

const upload = (world: World, content: string, name = 'roster.csv', by = world.admin) =>
  uploadImport(stage.api.url, world, { content, name, token: by.token });
const work = async (world: World, id: string): Promise<Row> => {
  await workImport(world.organizationId, id);
  return (await adminOf(world).get(one(id))).body;
};
const chapterName = async (world: World) =>
  (await asOwner<{ name: string }>('SELECT name FROM chapters WHERE id = $1', [world.chapterId]))[0]?.name as string;

const TITLES = 'E-Mail,First name,Surname,Chapter,Status,Graduation year,Pledge class';
async function read(world: World, lines: string[], titles = TITLES): Promise<string> {
  const answer = await upload(world, [titles, ...lines].join('\r\n'));
  expect(answer.status).toBe(201);
  expect(await work(world, answer.body['id'] as string)).toMatchObject({ stage: 'mapping', rows_total: lines.length });
  return answer.body['id'] as string;
}
async function preview(world: World, id: string): Promise<Row> {
  expect((await adminOf(world).post(one(id, 'preview/'))).status).toBe(202);
  return work(world, id);
}
async function process(world: World, id: string, on_existing = 'overwrite'): Promise<Row> {
  const { preview_hash } = await preview(world, id);
  expect((await adminOf(world).post(one(id, 'process/'), { preview_hash, on_existing })).status).toBe(202);
  return work(world, id);
}
const rows = async (world: World, id: string, filter = ''): Promise<Row[]> =>
  (await adminOf(world).get(one(id, `rows/?page_size=100${filter}`))).body.results;
const line = (email: string, chapter: string, ...rest: string[]) =>
  [email, 'Ada', 'Byron', chapter, ...rest].map((cell) => `"${cell}"`).join(',');
const membershipOf = async (world: World, email: string) =>
  (
    await asOwner<Row>(
      `SELECT m.*, u.placeholder_in IS NOT NULL AS waits FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = $1 AND coalesce(u.email, u.typed_email) = $2`,
      [world.organizationId, email],
    )
  )[0];
const mails = async () => (await asOwner<{ n: number }>('SELECT count(*)::int AS n FROM account_notices'))[0]?.n;

const [WHOLE] = readInvariants().filter(({ name }) => name.startsWith('the history of a membership'));
afterEach(async () => expect(await asOwner(WHOLE?.query as string)).toEqual([]));

test('imports are for admins of their organization', async () => {
  const { world, other } = stage;
  const id = await read(world, [line('a@example.org', await chapterName(world))]);
  expect((await stage.nobody.get(path(world))).status).toBe(401);
  for (const person of [world.officer, world.regionalAdmin, world.member]) {
    expect((await stage.as(person).get(path(world))).status).toBe(403);
    expect((await stage.as(person).get(one(id))).status).toBe(403);
    expect((await stage.as(person).post(one(id, 'preview/'))).status).toBe(403);
    expect((await upload(world, TITLES, 'x.csv', person)).status).toBe(403);
  }
  const [row] = await rows(world, id);
  for (const rest of ['', 'rows/', 'errors.csv']) await expectNowhere(id, (of) => adminOf(other).get(one(of, rest)));
  for (const rest of ['preview/', 'cancel/', 'undo/', 'send-invitations/'])
    await expectNowhere(id, (of) => adminOf(other).post(one(of, rest)));
  const mend = { values: { email: 'b@example.org' } };
  await expectNowhere(id, (of) => adminOf(other).patch(one(of, `rows/${row?.['id'] as string}/`), mend));
  expect((await adminOf(world).get(path(world))).body).toMatchObject({ count: 1, results: [{ id }] });
});

test('an unreadable file fails its import with a reason and is removed', async () => {
  const { world } = stage;
  for (const [content, why] of [
    ['PK\u0003\u0004 and nothing else', 'damaged'],
    [TITLES + ',x'.repeat(100), 'too_many_columns'],
    ['\r\n\r\n', 'empty'],
  ] as const) {
    const { body } = await upload(world, content);
    expect(await work(world, body['id'] as string)).toMatchObject({
      outcome: 'failed',
      failure: 'file_not_readable',
      failure_reason: why,
      step: null,
    });
    const [file] = await asOwner<Row>('SELECT status FROM stored_files ORDER BY id DESC LIMIT 1');
    expect(file).toEqual({ status: 'removing' });
    expect((await adminOf(world).post(one(body['id'] as string, 'preview/'))).body).toMatchObject({
      code: 'import_ended',
    });
  }
});

test('titles and cells that are too long are cut between two characters', async () => {
  const { world } = stage;
  const [title, cell] = ['x'.repeat(199), 'y'.repeat(1_999)];
  const id = await read(
    world,
    [`${line('long@example.org', await chapterName(world))},${cell}🎓`],
    `E-Mail,First name,Surname,Chapter,${title}🎓`,
  );
  expect((await adminOf(world).get(one(id))).body.columns.at(-1)).toBe(title);
  expect((await rows(world, id))[0]?.['cells']).toMatchObject({ 4: cell });
  // Letters of two UTF-16 units each, in names of the maximum length.
  const gothic = '𐌰'.repeat(50);
  const named = await read(
    world,
    [`long@example.org,${gothic},${gothic},${await chapterName(world)}`],
    'E-Mail,First name,Surname,Chapter',
  );
  expect(await preview(world, named)).toMatchObject({ stage: 'preview', rows_create: 1 });
});

test('columns are guessed by their titles and by earlier mappings of the organization', async () => {
  const world = await aWorld();
  const titles = 'Contact,First name,Last name,House';
  const id = await read(world, ['a@example.org,A,B,X'], titles);
  const before = (await adminOf(world).get(one(id))).body;
  expect(before).toMatchObject({ mapping: { first_name: 1, last_name: 2 }, columns: titles.split(',') });
  expect((await adminOf(world).post(one(id, 'preview/'))).body).toMatchObject({ code: 'import_not_ready' });
  const put = (mapping: object, more: object = {}) => adminOf(world).put(one(id, 'mapping/'), { mapping, ...more });
  for (const [mapping, field] of [
    [{ email: 4 }, 'mapping.email'],
    [{ email: 0, chapter: 0 }, 'mapping'],
  ] as const)
    expect(await put(mapping)).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
  expect((await put({ shoe: 1 })).status).toBe(400);
  expect((await put({ email: 0 }, { chapter: stage.other.chapterId })).body).toMatchObject({
    errors: { chapter: ['There is no such chapter.'] },
  });
  expect((await put({ email: 0, first_name: 1, last_name: 2, chapter: 3 })).status).toBe(200);
  const next = await read(world, ['b@example.org,A,B,X'], titles.toUpperCase());
  expect((await adminOf(world).get(one(next))).body.mapping).toEqual({
    email: 0,
    first_name: 1,
    last_name: 2,
    chapter: 3,
  });
});

test('imported names are normalized like all names, and an unacceptable one is an error of its line', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const written = [
    ['zoe@example.org', 'Zoë'.normalize('NFD'), 'Müller'.normalize('NFD')],
    ['bidi@example.org', 'Ada', 'B\u202eyron'],
    ['invisible@example.org', '\u200b', 'Byron'],
  ].map((cells) => [...cells, chapter].map((cell) => `"${cell}"`).join(','));
  const id = await read(world, written, 'E-Mail,First name,Surname,Chapter');
  await preview(world, id);
  expect((await rows(world, id)).map(({ errors }) => Object.keys(errors as object))).toEqual([
    [],
    ['last_name'],
    ['first_name'],
  ]);
  await process(world, id);
  expect(await asOwner(`SELECT first_name, last_name FROM users WHERE typed_email = 'zoe@example.org'`)).toEqual([
    { first_name: 'Zoë', last_name: 'Müller' },
  ]);
});

test('dates follow the chosen order, and an ambiguous one is neither guessed nor remembered', async () => {
  const world = await aWorld();
  const titles = 'E-Mail,First name,Surname,Chapter,Joined,Birthday,Crossed';
  const chapter = await chapterName(world);
  const written = [
    line('a@example.org', chapter, '3/4/2024', '9/30/2001', '2024-05-06'),
    line('b@example.org', chapter, '03.04.2024', '2001/9/30', '1/2-2024'),
    line('c@example.org', chapter, '2/30/2024', '3/4/24', '13/13/2024'),
  ];
  const id = await read(world, written, titles);
  const { mapping } = (await adminOf(world).get(one(id))).body;
  const mapped = async (day_order?: string) => {
    expect((await adminOf(world).put(one(id, 'mapping/'), { mapping, day_order })).status).toBe(200);
    await preview(world, id);
    return (await rows(world, id)).map(({ changes, errors }) => [
      Object.fromEntries(Object.entries(changes as Record<string, unknown[]>).map(([field, [, to]]) => [field, to])),
      Object.keys(errors as object).sort(),
    ]);
  };
  expect(await mapped('mdy')).toEqual([
    [{ joined_date: '2024-03-04', date_of_birth: '2001-09-30', crossing_date: '2024-05-06' }, []],
    [{ joined_date: '2024-03-04', date_of_birth: '2001-09-30' }, ['crossing_date']],
    [{}, ['crossing_date', 'date_of_birth', 'joined_date']],
  ]);
  expect((await mapped('dmy'))[0]).toEqual([
    { joined_date: '2024-04-03', crossing_date: '2024-05-06' },
    ['date_of_birth'],
  ]);
  expect((await mapped())[0]).toEqual([{ crossing_date: '2024-05-06' }, ['date_of_birth', 'joined_date']]);
  expect((await rows(world, id))[0]).toMatchObject({ errors: { joined_date: [expect.stringContaining('day_order')] } });
  expect((await adminOf(world).put(one(id, 'mapping/'), { mapping, day_order: 'x' })).status).toBe(400);
  const next = await read(world, written, titles);
  expect((await adminOf(world).get(one(next))).body).toMatchObject({ day_order: 'ymd' });
});

test('each line is a create, update, unchanged or error with its fields, and duplicates are found by address and name', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const member = await aMember(world.organizationId, world.chapterId);
  const id = await read(world, [
    line('new@example.org', chapter, 'undergrad', '2027', 'Alpha'),
    line('NEW@example.org ', chapter, 'undergrad'),
    line('twin@example.org', chapter, 'associate'),
    line(member.email, chapter, 'undergrad'),
    line(member.email.replace('@', '+x@'), 'Nowhere', 'king', '99', 'x'.repeat(101)),
    line('', chapter),
    line(world.officer.email, world.chapterId, 'alumni', '2020'),
  ]);
  const previewed = await preview(world, id);
  expect(previewed).toMatchObject({
    stage: 'preview',
    rows_create: 2,
    rows_update: 1,
    rows_unchanged: 1,
    rows_error: 3,
  });
  const all = await rows(world, id);
  expect(all.map(({ outcome }) => outcome)).toEqual([
    'create',
    'error',
    'create',
    'unchanged',
    'error',
    'error',
    'update',
  ]);
  expect(all[0]).toMatchObject({ line: 2, changes: { graduation_year: [null, 2027], pledge_class: [null, 'Alpha'] } });
  expect(all[1]).toMatchObject({ errors: { email: ['Line 2 names the same person in this chapter.'] } });
  expect(all[2]).toMatchObject({ warnings: ['Line 2 has the same name.'] });
  expect(all[3]).toMatchObject({
    membership: member.membershipId,
    warnings: expect.arrayContaining([expect.stringContaining('another name')]),
  });
  expect(Object.keys(all[4]?.['errors'] as object).sort()).toEqual([
    'chapter',
    'graduation_year',
    'pledge_class',
    'status',
  ]);
  expect(all[5]).toMatchObject({ errors: { email: ['Required.'] } });
  expect(all[6]).toMatchObject({ changes: { status: ['undergrad', 'alumni'], graduation_year: [null, 2020] } });
  expect(await rows(world, id, '&outcome=error')).toHaveLength(3);
  expect((await preview(world, id))['preview_hash']).toBe(previewed['preview_hash']);
});

test('of two lines with two addresses of one person the first changes the person and the second is an error', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const member = await aMember(world.organizationId, world.chapterId);
  const second = `also-${member.email}`;
  await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [member.userId, second]);
  const id = await read(world, [
    line(member.email, chapter, 'undergrad', '2027'),
    line(second, chapter, 'undergrad', '2028'),
  ]);
  expect(await process(world, id)).toMatchObject({ outcome: 'completed_with_errors', rows_updated: 1 });
  const [, other] = await rows(world, id);
  expect(other).toMatchObject({
    outcome: 'error',
    errors: { email: ['Line 2 names the same person in this chapter.'] },
  });
  expect(await membershipOf(world, member.email)).toMatchObject({ graduation_year: 2027 });
});

test('a line is corrected in place, which makes an earlier preview stale', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const id = await read(world, [line('=cmd()', chapter), line('fine@example.org', chapter)]);
  const { preview_hash } = await preview(world, id);
  expect((await errorsOf(world, id)).split('\r\n')[1]).toBe(
    `2,email: Invalid email address,'=cmd(),Ada,Byron,${chapter},,,`,
  );
  const [bad] = await rows(world, id);
  const mend = (values: object) => adminOf(world).patch(one(id, `rows/${bad?.['id'] as string}/`), { values });
  expect((await mend({ role: 'officer' })).status).toBe(400);
  expect((await mend({ email: 'mended@example.org' })).body).toMatchObject({ outcome: 'create', errors: {} });
  const confirm = { preview_hash, on_existing: 'skip' };
  expect((await adminOf(world).post(one(id, 'process/'), confirm)).body).toMatchObject({ code: 'preview_stale' });
  expect(await process(world, id)).toMatchObject({ outcome: 'completed', rows_created: 2, rows_failed: 0 });
});

async function errorsOf(world: World, id: string, method = 'GET'): Promise<string> {
  const headers = { Authorization: `Bearer ${world.admin.token}` };
  const csv = await fetch(stage.api.url + one(id, 'errors.csv'), { method, headers });
  expect(csv.headers.get('content-type')).toContain('text/csv');
  return csv.text();
}

test('lines with errors are paginated, and corrected in a spreadsheet they make the next import', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const bad = Array.from({ length: 1_001 }, (_, n) => line(`wrong${n}`, chapter, 'undergrad', '2027', '\'\'=Ä; ""x""'));
  const id = await read(world, [line('fine@example.org', chapter), ...bad]);
  expect(await preview(world, id)).toMatchObject({ rows_create: 1, rows_error: 1_001 });
  const [first] = await rows(world, id, '&outcome=error');
  await asOwner(`UPDATE bulk_import_rows SET cells = '[]' WHERE id = $1`, [first?.['id']]);
  const statements = await countStatements(() => errorsOf(world, id));
  expect(await errorsOf(world, id, 'HEAD')).toBe('');
  expect(await countStatements(() => errorsOf(world, id, 'HEAD'))).toBeLessThan(statements);
  const text = await errorsOf(world, id);
  // The lines of an erased person cannot be corrected.
  expect(text.split('\r\n')).toHaveLength(1_000 + 2);
  const { body } = await upload(world, text.replaceAll(/,wrong(\d+),/g, ',mended$1@example.org,'), 'errors.csv');
  const next = await work(world, body['id'] as string);
  expect(next).toMatchObject({ rows_total: 1_000, mapping: { email: 2, chapter: 5, pledge_class: 8 } });
  expect(next['mapping']).not.toHaveProperty('line_number');
  expect(await preview(world, body['id'] as string)).toMatchObject({ rows_create: 1_000, rows_error: 0 });
  const [mended] = await rows(world, body['id'] as string);
  expect(mended).toMatchObject({ changes: { pledge_class: [null, '\'=Ä; "x"'] } });
  // A second export does not repeat its own notes.
  await asOwner(`UPDATE bulk_import_rows SET outcome = 'error' WHERE id = $1`, [mended?.['id']]);
  const again = (await errorsOf(world, body['id'] as string)).split('\r\n');
  expect(again).toEqual([`Line of the file,What is wrong,${TITLES}`, expect.stringMatching(/^2,,mended1@/), '']);
});

test('the error export of the widest table leaves out unmapped columns, so that its notes fit', async () => {
  const world = await aWorld();
  const titles = `Email,${Array.from({ length: 98 }, (_, n) => `Extra ${n}`).join(',')},First name`;
  const id = await read(world, [`bad,${'x,'.repeat(98)}Ada`], titles);
  await preview(world, id);
  expect((await errorsOf(world, id)).split('\r\n')[0]).toBe('Line of the file,What is wrong,Email,First name');
});

test('unknown addresses and foreign accounts get equal lines and invitations, mailed only on request', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const elsewhere = stage.other.member.email;
  const known = await aMember(world.organizationId, (await aChapter(world)).id);
  const before = await mails();
  const id = await read(world, [
    line('unused@example.org', chapter),
    line(elsewhere, chapter),
    line(known.email, chapter),
  ]);
  expect(await process(world, id)).toMatchObject({ outcome: 'completed', rows_created: 3 });
  const results = (await rows(world, id)).map((row) => without(row, 'id', 'line', 'cells', 'membership'));
  expect({ ...results[0], warnings: [] }).toEqual({ ...results[1], warnings: [] });
  const roster = async (email: string) => without((await membershipOf(world, email)) as Row, 'id', 'user_id');
  const [mine, theirs] = [await roster('unused@example.org'), await roster(elsewhere)];
  expect(theirs).toEqual(mine);
  expect(mine).toMatchObject({ waits: true });
  const periods = await asOwner<Row>(
    `SELECT source, actor_user_id FROM membership_periods WHERE organization_id = $1 AND source = 'import'`,
    [world.organizationId],
  );
  expect(periods).toHaveLength(3);
  expect(periods[0]).toEqual({ source: 'import', actor_user_id: world.admin.userId });
  const log = await asOwner(
    `SELECT FROM audit_log WHERE organization_id = $1 AND action = 'membership.created' AND actor_user_id = $2`,
    [world.organizationId, world.admin.userId],
  );
  expect(log).toHaveLength(3);
  expect(await mails()).toBe(before);
  expect((await adminOf(world).post(one(id, 'send-invitations/'))).status).toBe(202);
  await work(world, id);
  expect(await mails()).toBe((before as number) + 3);
  await adminOf(world).post(one(id, 'send-invitations/'));
  await work(world, id);
  expect(await mails()).toBe((before as number) + 3);
});

test('members of a chapter that became inactive are invited after it is active again', async () => {
  const world = await aWorld();
  const id = await read(world, [line('later@example.org', await chapterName(world))]);
  await process(world, id);
  const before = (await mails()) as number;
  const send = async (status: string) => {
    await asOwner('UPDATE chapters SET status = $2 WHERE id = $1', [world.chapterId, status]);
    expect((await adminOf(world).post(one(id, 'send-invitations/'))).status).toBe(202);
    expect(await work(world, id)).toMatchObject({ step: null });
    return ((await mails()) as number) - before;
  };
  expect([await send('suspended'), await send('active'), await send('active')]).toEqual([0, 1, 1]);
});

const without = (row: Row, ...fields: string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([field]) => !fields.includes(field)));

async function aChapter(world: World): Promise<{ id: string; name: string }> {
  const [chapter] = await asOwner<{ id: string; name: string }>(
    `INSERT INTO chapters (organization_id, region_id, name)
     SELECT organization_id, region_id, 'Second' FROM chapters WHERE id = $1 RETURNING id, name`,
    [world.chapterId],
  );
  return chapter as { id: string; name: string };
}

test('existing people are skipped, filled or overwritten as previewed, unless they changed since', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const people: Person[] = [];
  for (let n = 0; n < 3; n += 1) {
    const person = await aMember(world.organizationId, world.chapterId);
    await asOwner(`UPDATE memberships SET pledge_class = 'Old' WHERE id = $1`, [person.membershipId]);
    people.push(person);
  }
  const lines = people.map(({ email }) => line(email, chapter, 'undergrad', '2027', 'New'));
  const is = async (n: number) => {
    const { pledge_class, graduation_year } = (await membershipOf(world, people[n]?.email as string)) as Row;
    return [pledge_class, graduation_year];
  };
  expect(await process(world, await read(world, lines), 'skip')).toMatchObject({ rows_left: 3, outcome: 'completed' });
  expect(await is(0)).toEqual(['Old', null]);
  expect(await process(world, await read(world, lines), 'fill_empty')).toMatchObject({ rows_updated: 3 });
  expect(await is(0)).toEqual(['Old', 2027]);
  const id = await read(world, lines);
  const { preview_hash } = await preview(world, id);
  await asOwner('UPDATE memberships SET line_number = 7 WHERE id = $1', [people[1]?.membershipId]);
  await adminOf(world).post(one(id, 'process/'), { preview_hash, on_existing: 'overwrite' });
  expect(await work(world, id)).toMatchObject({ outcome: 'completed_with_errors', rows_updated: 2, rows_failed: 1 });
  expect(await rows(world, id, '&result=failed')).toMatchObject([{ line: 3, why: 'changed_since_preview' }]);
  expect([await is(0), await is(1)]).toEqual([
    ['New', 2027],
    ['Old', 2027],
  ]);
  expect((await preview(world, await read(world, lines)))['rows_unchanged']).toBe(2);
});

test('a line that violates a constraint does not stop other lines', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const titles = 'email,first name,last name,chapter,role';
  const id = await read(
    world,
    [1, 2, 3].map((n) => line(`p${n}@example.org`, chapter, n === 2 ? 'member' : 'president')),
    titles,
  );
  expect(await process(world, id)).toMatchObject({ outcome: 'completed_with_errors', rows_created: 2, rows_failed: 1 });
  expect(await rows(world, id, '&result=failed')).toMatchObject([{ line: 4, why: 'office_taken' }]);
});

test('an inactive chapter adds no members, neither in the preview nor after a suspension since', async () => {
  const world = await aWorld();
  const second = await aChapter(world);
  const id = await read(world, [line('a@example.org', second.name)]);
  const { preview_hash } = await preview(world, id);
  await asOwner(`UPDATE chapters SET status = 'suspended' WHERE id = $1`, [second.id]);
  await adminOf(world).post(one(id, 'process/'), { preview_hash, on_existing: 'skip' });
  expect(await work(world, id)).toMatchObject({ outcome: 'completed_with_errors', rows_failed: 1 });
  expect(await rows(world, id)).toMatchObject([{ result: 'failed', why: 'chapter_not_active' }]);
  const next = await preview(world, await read(world, [line('a@example.org', second.name)]));
  expect(next).toMatchObject({ rows_error: 1 });
});

test('a prospect of an inactive chapter cannot cross by an import, but can leave', async () => {
  const world = await aWorld();
  const second = await aChapter(world);
  const [crossing, leaving] = [
    await aMember(world.organizationId, second.id, 'member', 'pnm'),
    await aMember(world.organizationId, second.id, 'member', 'pnm'),
  ];
  const lines = [line(crossing.email, second.name, 'undergrad'), line(leaving.email, second.name, 'inactive')];
  const id = await read(world, lines);
  const { preview_hash } = await preview(world, id);
  await asOwner(`UPDATE chapters SET status = 'suspended' WHERE id = $1`, [second.id]);
  await adminOf(world).post(one(id, 'process/'), { preview_hash, on_existing: 'overwrite' });
  expect(await work(world, id)).toMatchObject({ rows_updated: 1, rows_failed: 1 });
  expect(await rows(world, id, '&result=failed')).toMatchObject([{ line: 2, why: 'chapter_not_active' }]);
  expect(await membershipOf(world, leaving.email)).toMatchObject({ status: 'inactive' });
  const again = await read(world, [...lines, line(leaving.email, second.name, 'pnm')].toSpliced(1, 1));
  expect(await preview(world, again)).toMatchObject({ rows_error: 2 });
  expect((await rows(world, again, '&outcome=error'))[0]).toMatchObject({ errors: { chapter: [expect.any(String)] } });
});

test('a cancelled import stops where it is, and its finished part stays and can be undone', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const lines = Array.from({ length: 501 }, (_, n) => line(`c${n}@example.org`, chapter));
  const id = await read(world, lines);
  const { preview_hash } = await preview(world, id);
  await adminOf(world).post(one(id, 'process/'), { preview_hash, on_existing: 'skip' });
  const [{ runs } = { runs: 0 }] = await asOwner<{ runs: number }>('SELECT runs FROM bulk_imports WHERE id = $1', [id]);
  const input = { organizationId: world.organizationId, importId: id, step: 'process', run: String(runs) } as const;
  expect(await environment.run(takeLines, input)).toBe(true);
  expect((await adminOf(world).post(one(id, 'undo/'))).body).toMatchObject({ code: 'import_busy' });
  expect((await adminOf(world).post(one(id, 'cancel/'))).body).toMatchObject({
    outcome: 'cancelled',
    rows_created: 500,
  });
  expect(await environment.run(takeLines, input)).toBe(false);
  await environment.run(finishImportStep, input);
  expect((await adminOf(world).get(one(id))).body).toMatchObject({ outcome: 'cancelled', rows_created: 500 });
  expect((await adminOf(world).post(one(id, 'undo/'))).status).toBe(202);
  expect(await work(world, id)).toMatchObject({ outcome: 'undone', rows_undone: 500, rows_kept: 0 });
});

test('undoing an import makes a crossed member prospective again, even after records were carried over', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const [carried, edited] = [
    await aMember(world.organizationId, world.chapterId, 'member', 'pnm'),
    await aMember(world.organizationId, world.chapterId, 'member', 'pnm'),
  ];
  const id = await read(world, [line(carried.email, chapter, 'undergrad'), line(edited.email, chapter, 'undergrad')]);
  expect(await process(world, id)).toMatchObject({ outcome: 'completed', rows_updated: 2 });
  const crossings = () =>
    asOwner<{ id: string; reverted_by: string | null }>(
      `SELECT id, reverted_by FROM crossings WHERE organization_id = $1 ORDER BY membership_id = $2 DESC`,
      [world.organizationId, carried.membershipId],
    );
  for (const crossing of await crossings()) await inTenant(world.organizationId, () => carryOver(crossing.id));
  expect(await membershipOf(world, carried.email)).toMatchObject({ crossing_semester: expect.any(String) });
  await adminOf(world).patch(`/api/memberships/${edited.membershipId}/`, { line_number: 5 });
  await adminOf(world).post(one(id, 'undo/'));
  expect(await work(world, id)).toMatchObject({ rows_undone: 1, rows_kept: 1 });
  expect(await membershipOf(world, carried.email)).toMatchObject({ status: 'pnm' });
  expect(await membershipOf(world, edited.email)).toMatchObject({ status: 'undergrad', line_number: 5 });
  expect((await crossings()).map(({ reverted_by }) => reverted_by)).toEqual([world.admin.userId, null]);
});

test('an undo restores each line that is unchanged since, within a day', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const [edited, updated] = [
    await aMember(world.organizationId, world.chapterId),
    await aMember(world.organizationId, world.chapterId),
  ];
  const second = await aChapter(world);
  const signedIn = await aMember(world.organizationId, second.id);
  const watched = await aMember(world.organizationId, second.id);
  const id = await read(world, [
    line('made@example.org', chapter, 'undergrad', '2027'),
    line('billed@example.org', chapter),
    line(signedIn.email, chapter),
    line(edited.email, chapter, 'alumni', '2020'),
    line(updated.email, chapter, 'alumni', '2020'),
    line(watched.email, chapter),
  ]);
  expect(await process(world, id)).toMatchObject({ outcome: 'completed', rows_created: 4, rows_updated: 2 });
  const billed = (await membershipOf(world, 'billed@example.org')) as Row;
  await anInvoice(world, { chapterId: world.chapterId, membershipId: billed['id'] as string });
  await asOwner('UPDATE memberships SET line_number = 1 WHERE id = $1', [edited.membershipId]);
  // An admin impersonates one of them, which is no sign-in of the member.
  await asOwner(
    `INSERT INTO sessions (user_id, organization_id, expires_at, impersonation_id)
     VALUES ($1, $3, now() + interval '1 hour', NULL), ($2, $3, now() + interval '1 hour', gen_random_uuid())`,
    [signedIn.userId, watched.userId, world.organizationId],
  );
  await asOwner(`UPDATE bulk_imports SET ended_at = ended_at - interval '25 hours' WHERE id = $1`, [id]);
  expect((await adminOf(world).post(one(id, 'undo/'))).body).toMatchObject({ code: 'import_not_undoable' });
  await asOwner(`UPDATE bulk_imports SET ended_at = ended_at + interval '25 hours' WHERE id = $1`, [id]);
  expect((await adminOf(world).post(one(id, 'undo/'))).status).toBe(202);
  expect(await work(world, id)).toMatchObject({ outcome: 'undone', rows_undone: 3, rows_kept: 3 });
  expect((await rows(world, id)).map(({ result, why }) => why ?? result)).toEqual([
    'undone',
    'invoiced',
    'signed_in',
    'edited',
    'undone',
    'undone',
  ]);
  expect(await membershipOf(world, updated.email)).toMatchObject({ status: 'undergrad', graduation_year: null });
  expect(await membershipOf(world, 'made@example.org')).toMatchObject({ status: 'inactive' });
  expect((await adminOf(world).post(one(id, 'undo/'))).body).toMatchObject({ code: 'import_not_undoable' });
  // A person imported again is the same person.
  const again = await process(world, await read(world, [line('made@example.org', chapter, 'undergrad')]));
  expect(again).toMatchObject({ rows_updated: 1, outcome: 'completed' });
});

const PERSON_TITLES = 'Email,First name,Last name,Chapter,Phone,Nickname,Birthday,Town,Zip';
const saidOf = async (world: World, userId: unknown) =>
  (
    await asOwner<Row>(
      `SELECT u.phone_number, p.preferred_name, p.date_of_birth::text, p.city, p.postal_code FROM users u
         LEFT JOIN member_profiles p ON p.organization_id = $2 AND p.user_id = u.id WHERE u.id = $1`,
      [userId, world.organizationId],
    )
  ).map(Object.values)[0];
const say = async (world: World, { userId }: { userId: unknown }, phone: string | null, name: string | null) => {
  await asOwner('UPDATE users SET phone_number = $2 WHERE id = $1', [userId, phone]);
  await asOwner('UPDATE member_profiles SET preferred_name = $3 WHERE organization_id = $1 AND user_id = $2', [
    world.organizationId,
    userId,
    name,
  ]);
};

test('phone number and profile are skipped, filled or overwritten by field, and undone', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const [has, lacks] = [
    await aMember(world.organizationId, world.chapterId),
    await aMember(world.organizationId, world.chapterId),
  ];
  await say(world, has, '1', 'Own');
  const lines = [has, lacks].map(({ email }) => line(email, chapter, '2', 'New', '2004-02-29', 'Town', '00100'));
  const again = () => read(world, lines, PERSON_TITLES);
  const resultsOf = async (id: string) =>
    (await rows(world, id)).map(({ result, fields_left }) => [result, fields_left]);
  const skipped = await again();
  expect(await process(world, skipped, 'skip')).toMatchObject({ rows_left: 2 });
  expect(await saidOf(world, has.userId)).toEqual(['1', 'Own', null, null, null]);
  const filled = await again();
  expect(await process(world, filled, 'fill_empty')).toMatchObject({ rows_updated: 2, outcome: 'completed' });
  expect(await saidOf(world, has.userId)).toEqual(['1', 'Own', '2004-02-29', 'Town', '00100']);
  expect(await saidOf(world, lacks.userId)).toEqual(['2', 'New', '2004-02-29', 'Town', '00100']);
  expect(await resultsOf(filled)).toEqual([
    ['updated', { phone_number: 'not_empty', preferred_name: 'not_empty' }],
    ['updated', {}],
  ]);
  const filledAgain = await again();
  expect(await process(world, filledAgain, 'fill_empty')).toMatchObject({ rows_updated: 0, rows_left: 2 });
  expect(await resultsOf(filledAgain)).toEqual([
    ['unchanged', { phone_number: 'not_empty', preferred_name: 'not_empty' }],
    ['unchanged', {}],
  ]);
  const overwritten = await again();
  const { preview_hash } = await preview(world, overwritten);
  await asOwner(`UPDATE member_profiles SET preferred_name = 'Newer' WHERE user_id = $1`, [has.userId]);
  await adminOf(world).post(one(overwritten, 'process/'), { preview_hash, on_existing: 'overwrite' });
  expect(await work(world, overwritten)).toMatchObject({ rows_updated: 1, rows_left: 1 });
  expect(await resultsOf(overwritten)).toEqual([
    ['updated', { preferred_name: 'changed_since_preview' }],
    ['unchanged', {}],
  ]);
  expect(await saidOf(world, has.userId)).toEqual(['2', 'Newer', '2004-02-29', 'Town', '00100']);
  const log = await asOwner<Row>(
    `SELECT a.action, v.before, v.after FROM audit_log a JOIN audit_values v ON v.entry_id = a.id AND v.user_id = $2
      WHERE a.organization_id = $1 AND a.actor_user_id = $3 ORDER BY a.id`,
    [world.organizationId, lacks.userId, world.admin.userId],
  );
  expect(log).toEqual([
    {
      action: 'member_profile.updated',
      before: { preferred_name: null, date_of_birth: null, city: null, postal_code: null },
      after: {
        preferred_name: 'New',
        date_of_birth: '2004-02-29',
        city: 'Town',
        postal_code: '00100',
        import_id: filled,
      },
    },
    { action: 'user.updated', before: { phone_number: null }, after: { phone_number: '2', import_id: filled } },
  ]);
  // A person who has edited a field since keeps all fields.
  await asOwner(`UPDATE member_profiles SET city = 'Elsewhere' WHERE user_id = $1`, [has.userId]);
  await adminOf(world).post(one(filled, 'undo/'));
  expect(await work(world, filled)).toMatchObject({ outcome: 'undone', rows_undone: 1, rows_kept: 1 });
  expect((await rows(world, filled)).map(({ why }) => why)).toEqual(['edited', null]);
  expect(await saidOf(world, has.userId)).toEqual(['2', 'Newer', '2004-02-29', 'Elsewhere', '00100']);
  expect(await saidOf(world, lacks.userId)).toEqual([null, null, null, null, null]);
});

test('imported fields of an invited person become theirs on acceptance, and a foreign account keeps its own number', async () => {
  const world = await aWorld();
  const second = (await aChapter(world)).name;
  const chapter = await chapterName(world);
  const { member: elsewhere } = await aWorld({ members: 1 });
  const both = await aMember(world.organizationId, world.chapterId);
  await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    stage.other.organizationId,
    both.userId,
    stage.other.chapterId,
  ]);
  const values = ['2', 'New', '2004-02-29', 'Town', '00100'];
  const id = await read(
    world,
    [
      line('new@example.org', chapter, ...values),
      line('new@example.org', second, '3', 'New'),
      line(elsewhere.email, chapter, ...values),
      line(both.email, chapter, ...values),
    ],
    PERSON_TITLES,
  );
  expect(await process(world, id)).toMatchObject({ rows_created: 3, rows_updated: 1, outcome: 'completed' });
  expect((await rows(world, id)).map(({ fields_left }) => fields_left)).toEqual([
    {},
    { phone_number: 'changed_since_preview' },
    {},
    { phone_number: 'account_elsewhere' },
  ]);
  const [unused, , foreign] = (await rows(world, id)).map((row) =>
    without(row, 'id', 'line', 'cells', 'membership', 'warnings'),
  );
  expect(foreign).toEqual(unused);
  const waiting = (await membershipOf(world, 'new@example.org')) as Row;
  const theirs = (await membershipOf(world, elsewhere.email)) as Row;
  for (const { user_id } of [waiting, theirs]) expect(await saidOf(world, user_id)).toEqual(values);
  expect(await saidOf(world, both.userId)).toEqual([null, ...values.slice(1)]);
  const accept = (placeholder: unknown, account: () => Promise<string | null>) =>
    inTenant(world.organizationId, async () => {
      await lockPlaceholder(placeholder as string);
      const accountId = (await account()) as string;
      await replacePlaceholder(placeholder as string, accountId);
      return accountId;
    });
  const names = { email: 'new@example.org', first_name: null, last_name: null, password_hash: 'x' };
  const account = await accept(waiting['user_id'], () => createAccount(names, waiting['user_id'] as string));
  expect(await saidOf(world, account)).toEqual(values);
  await accept(theirs['user_id'], async () => elsewhere.userId);
  expect(await saidOf(world, elsewhere.userId)).toEqual([null, ...values.slice(1)]);
  for (const { user_id } of [waiting, theirs]) expect(await saidOf(world, user_id)).toEqual(Array(5).fill(null));
});

test('an undo clears the number of an invited person and keeps that of an account that joined another organization', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const member = await aMember(world.organizationId, world.chapterId);
  const lines = ['made@example.org', member.email].map((email) => line(email, chapter, '2', 'New'));
  const id = await read(world, lines, PERSON_TITLES);
  expect(await process(world, id)).toMatchObject({ rows_created: 1, rows_updated: 1 });
  await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    stage.other.organizationId,
    member.userId,
    stage.other.chapterId,
  ]);
  await adminOf(world).post(one(id, 'undo/'));
  expect(await work(world, id)).toMatchObject({ outcome: 'undone', rows_undone: 2 });
  const made = (await membershipOf(world, 'made@example.org')) as Row;
  expect(made).toMatchObject({ status: 'inactive' });
  expect(await saidOf(world, made['user_id'])).toEqual(Array(5).fill(null));
  expect(await saidOf(world, member.userId)).toEqual(['2', null, null, null, null]);
  expect((await rows(world, id))[1]).toMatchObject({ fields_left: { phone_number: 'account_elsewhere' } });
});

test("an erasure removes the person's lines, and files are removed after reading", async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const member = await aMember(world.organizationId, world.chapterId);
  const id = await read(world, [line(member.email, chapter, 'undergrad', '2027'), line('stays@example.org', chapter)]);
  await process(world, id);
  const sponsored = await read(
    world,
    [line('theirs@example.org', chapter, '', '', '', ` ${member.email.toUpperCase()}`, 'last')],
    `${TITLES},Sponsor,Note`,
  );
  await process(world, sponsored);
  const unseen = await read(world, [line(` ${member.email.toUpperCase()} `, chapter)]);
  expect(
    await asOwner(`SELECT FROM stored_files WHERE organization_id = $1 AND status = 'kept'`, [world.organizationId]),
  ).toEqual([]);
  await inTenant(world.organizationId, () => eraseInOrganization(member.userId));
  const [erased, other] = await rows(world, id);
  expect(erased).toMatchObject({ cells: [], changes: {}, result: 'updated', membership: member.membershipId });
  expect(other).toMatchObject({ cells: expect.arrayContaining(['stays@example.org']) });
  const text = JSON.stringify(await asOwner('SELECT * FROM bulk_import_rows WHERE import_id = $1', [id]));
  expect(text).not.toContain(member.email);
  // The cells of this import were never mapped.
  expect(await rows(world, unseen)).toMatchObject([{ cells: [] }]);
  // Another person's line mentions the address: the line stays, without the address.
  const [theirs] = await rows(world, sponsored);
  expect(theirs).toMatchObject({ result: 'created', outcome: 'create' });
  expect(theirs?.['cells']).toEqual(['theirs@example.org', 'Ada', 'Byron', chapter, '', '', '', '', 'last']);
});

test("an erasure removes the person's address within cells of other lines and keeps longer addresses", async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const address = (local: string, domain = 'erased-words.org') => `${local}@${domain}`;
  const ann = await aMember(world.organizationId, world.chapterId);
  await asOwner('UPDATE users SET email = $2 WHERE id = $1', [ann.userId, address('ann.b+x')]);
  const of = (email: string, pledge: string, sponsor: string) => line(email, chapter, '', '', pledge, sponsor, 'last');
  const longer = [
    address('joann.b+x'),
    address('jo.ann.b+x'),
    address("o'ann.b+x"),
    address('ann.b+x', 'erased-words.org.uk'),
  ];
  const id = await read(
    world,
    [
      of(
        'one@example.org',
        'with ANN.B+X@Erased-Words.org',
        `Ann <${address('ann.b+x')}>, mailto:${address('ann.b+x')}.`,
      ),
      of('two@example.org', 'Alpha', `(${longer.join('; ')}) annxbxx@erased-words.org`),
      of('no address', 'Alpha', `brought by Ann (${address('ann.b+x')})`),
    ],
    `${TITLES},Sponsor,Note`,
  );
  await process(world, id);
  const remaining = await rows(world, id);
  await inTenant(world.organizationId, () => eraseInOrganization(ann.userId));
  const [one, two, three] = await rows(world, id);
  expect(one?.['cells']).toEqual([
    'one@example.org',
    'Ada',
    'Byron',
    chapter,
    '',
    '',
    'with',
    'Ann <>, mailto:.',
    'last',
  ]);
  expect([one?.['result'], one?.['changes']]).toEqual([
    'created',
    expect.objectContaining({ pledge_class: [null, 'with'] }),
  ]);
  expect(two).toEqual(remaining[1]);
  // The line has no address of its own, so its person is unknown.
  expect(three).toMatchObject({ cells: [], outcome: 'error' });
  const [text = {}] = await asOwner(
    "SELECT string_agg(r::text, ' ') AS said FROM bulk_import_rows r WHERE import_id = $1 AND line <> 3",
    [id],
  );
  expect(JSON.stringify(text).toLowerCase()).not.toContain(address('ann.b+x'));
  const changed = () => asOwner('SELECT xmin::text FROM bulk_import_rows WHERE import_id = $1 ORDER BY line', [id]);
  const before = await changed();
  await inTenant(world.organizationId, () => eraseInOrganization(ann.userId));
  expect(await changed()).toEqual(before);
});

test('an undo restores offices that an import gave and ended, last first, and keeps the others with a reason', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const aPerson = (role: string) => aMember(world.organizationId, world.chapterId, role);
  const [was, is, graduates] = [await aPerson('president'), await aPerson('member'), await aPerson('officer')];
  const titles = 'Email,First name,Last name,Chapter,Role,Status';
  const lines = [
    line(was.email, chapter, 'member', 'undergrad'),
    line(is.email, chapter, 'president', 'undergrad'),
    line(graduates.email, chapter, '', 'alumni'),
  ];
  const standing = async () => {
    const found = [was, is, graduates].map(({ email }) => membershipOf(world, email));
    return (await Promise.all(found)).map((row) => `${row?.['role'] as string} ${row?.['status'] as string}`);
  };
  const treasurer = await adminOf(world).post(`/api/chapters/${world.chapterId}/officer-terms/`, {
    membership: graduates.membershipId,
    position: 'treasurer',
  });
  const offices = () =>
    asOwner<Row>(
      `SELECT id, membership_id, position FROM officer_terms WHERE organization_id = $1 AND ended_on IS NULL
          AND membership_id = ANY ($2) ORDER BY id`,
      [world.organizationId, [was, is, graduates].map(({ membershipId }) => membershipId)],
    );
  const [before, officesBefore] = [await standing(), await offices()];
  expect(officesBefore).toContainEqual(expect.objectContaining({ id: treasurer.body.id, position: 'treasurer' }));
  const id = await read(world, lines, titles);
  expect(await process(world, id)).toMatchObject({ rows_updated: 3, rows_failed: 0 });
  expect(await standing()).toEqual(['member undergrad', 'president undergrad', 'alumni alumni']);
  await adminOf(world).post(one(id, 'undo/'));
  expect(await work(world, id)).toMatchObject({ outcome: 'undone', rows_undone: 3 });
  expect([await standing(), await offices()]).toEqual([before, officesBefore]);
  // Repeat after another person has taken the office.
  const again = await read(world, [line(was.email, chapter, 'member', 'undergrad')], titles);
  expect(await process(world, again)).toMatchObject({ rows_updated: 1 });
  const elected = await aPerson('president');
  await adminOf(world).post(one(again, 'undo/'));
  expect(await work(world, again)).toMatchObject({ outcome: 'undone', rows_undone: 0, rows_kept: 1 });
  expect(await rows(world, again)).toMatchObject([{ result: 'kept', why: 'office_taken' }]);
  expect(await membershipOf(world, elected.email)).toMatchObject({ role: 'president' });
});

test('a person who leaves or declines during an import waits for its batch, and both succeed', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const locked = await aMember(world.organizationId, world.chapterId);
  const leaving = await aMember(world.organizationId, world.chapterId);
  await process(world, await read(world, [line('declines@example.org', chapter)]));
  const declining = (await membershipOf(world, 'declines@example.org')) as Row;
  const lines = [locked.email, leaving.email, 'declines@example.org'].map((email) => line(email, chapter, '', '2027'));
  const id = await read(world, lines);
  const { preview_hash } = await preview(world, id);
  expect((await adminOf(world).post(one(id, 'process/'), { preview_hash, on_existing: 'overwrite' })).status).toBe(202);
  const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
  await during<unknown>(
    'SELECT FROM memberships WHERE id = $1 FOR NO KEY UPDATE',
    [locked.membershipId],
    [
      () => work(world, id),
      () => inWorld(() => eraseInOrganization(leaving.userId)),
      () => inWorld(() => declineForAddresses(['declines@example.org'])),
    ],
  );
  const { outcome, rows_updated, rows_failed } = (await adminOf(world).get(one(id))).body;
  expect({ outcome, rows_updated, rows_failed }).toEqual({ outcome: 'completed', rows_updated: 3, rows_failed: 0 });
  expect((await rows(world, id)).map(({ cells }) => (cells as string[]).length)).toEqual([6, 0, 0]);
  const states = await asOwner('SELECT status FROM memberships WHERE id = ANY ($1)', [
    [leaving.membershipId, declining['id']],
  ]);
  expect(states).toEqual([{ status: 'inactive' }, { status: 'inactive' }]);
});

test('an import untouched for 30 days loses the data of people who did not become members', async () => {
  const world = await aWorld();
  const chapter = await chapterName(world);
  const an = (n: number) => read(world, [line(`forgotten${n}@example.org`, chapter)]);
  const [mapped, previewed, cancelled, processed, young] = [
    await an(1),
    await an(2),
    await an(3),
    await an(4),
    await an(5),
  ];
  await preview(world, previewed);
  await preview(world, cancelled);
  await adminOf(world).post(one(cancelled, 'cancel/'));
  await asOwner(
    `INSERT INTO bulk_import_rows (organization_id, import_id, line, cells) VALUES ($1, $2, 3, '["nobody@", "No", "Body"]')`,
    [world.organizationId, processed],
  );
  await asOwner('UPDATE bulk_imports SET rows_total = 2 WHERE id = $1', [processed]);
  await process(world, processed);
  await aged([mapped, previewed, cancelled, processed], 31);
  await aged([young], 29);
  // An admin opens this one again.
  await preview(world, previewed);
  await removeNextFiles();
  const stateOf = async (id: string) => {
    const { outcome, lines_erased_at, rows_total } = (await adminOf(world).get(one(id))).body;
    return [outcome, lines_erased_at !== null, rows_total, (await rows(world, id)).length];
  };
  expect(await stateOf(mapped)).toEqual(['cancelled', true, 1, 0]);
  expect(await stateOf(cancelled)).toEqual(['cancelled', true, 1, 0]);
  expect(await stateOf(previewed)).toEqual([null, false, 1, 1]);
  expect(await stateOf(processed)).toEqual(['completed_with_errors', true, 2, 2]);
  expect(await rows(world, processed)).toMatchObject([
    { result: 'created', cells: expect.arrayContaining(['forgotten4@example.org']) },
    { result: 'failed', cells: [], errors: {} },
  ]);
  expect(await stateOf(young)).toEqual([null, false, 1, 1]);
  expect((await adminOf(world).post(one(mapped, 'preview/'))).body).toMatchObject({ code: 'import_ended' });
  await removeNextFiles();
  expect(await stateOf(young)).toEqual([null, false, 1, 1]);
});

/** Moves the last change of the imports this many days into the past. */
async function aged(ids: string[], days: number): Promise<void> {
  await asOwner('ALTER TABLE bulk_imports DISABLE TRIGGER USER');
  await asOwner("UPDATE bulk_imports SET updated_at = now() - $2 * interval '1 day' WHERE id = ANY ($1)", [ids, days]);
  await asOwner('ALTER TABLE bulk_imports ENABLE TRIGGER USER');
}

test('a batch takes the same number of statements for many lines as for one', async () => {
  const count = async (size: number) => {
    const world = await aWorld();
    const chapter = await chapterName(world);
    const id = await read(
      world,
      Array.from({ length: size }, (_, n) => line(`s${n}@example.org`, chapter, '2', 'New')),
      PERSON_TITLES,
    );
    await adminOf(world).post(one(id, 'preview/'));
    const previewed = await countStatements(() => step(world, id));
    const { preview_hash } = await work(world, id);
    await adminOf(world).post(one(id, 'process/'), { preview_hash, on_existing: 'skip' });
    const processed = await countStatements(() => step(world, id));
    const listed = await countStatements(() => rows(world, id));
    const imports = await countStatements(() => adminOf(world).get(path(world)));
    return [previewed, processed, listed, imports];
  };
  const step = async (world: World, id: string) => {
    const [row] = await asOwner<{ step: ImportStepInput['step']; runs: number }>(
      'SELECT step, runs FROM bulk_imports WHERE id = $1',
      [id],
    );
    const { organizationId } = world;
    return environment.run(takeLines, {
      organizationId,
      importId: id,
      step: row?.step ?? 'read',
      run: String(row?.runs),
    });
  };
  expect(await count(20)).toEqual(await count(1));
});
