/** Attachments of posts and comments: uploads, their types, who downloads them, and when they are removed. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { scanStoredFile } from '../../../activities/organizations/scanFiles.js';
import { removeNextFiles } from '../../../activities/organizations/removeFiles.js';
import { EICAR } from '../../../development/standins/scan/server.js';
import { eraseDeletedTexts } from '../../../models/forums/eraseDeletedTexts.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { aScanner } from '../../gateways/scan.support.js';
import { aStore } from '../../gateways/storage.support.js';
import { type Part, zipOf } from '../../gateways/workbooks.support.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { during } from '../../support/during.js';
import { aKey, Forums, pathOf } from '../../support/forums.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person } from '../../support/world.js';

const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const TYPES = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  docx: `${OFFICE}wordprocessingml.document`,
  xlsx: `${OFFICE}spreadsheetml.sheet`,
  pptx: `${OFFICE}presentationml.presentation`,
  txt: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
};
type Extension = keyof typeof TYPES;

const storage = aStore();
const stage = apiWorld();
const { world, as } = stage;
const forums = new Forums(stage);
let forum: string;
let png: Buffer;
beforeAll(async () => {
  png = await sharp({ create: { width: 3000, height: 600, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Model: 'Telltale 5000' } })
    .png()
    .toBuffer();
});
beforeEach(async () => {
  forum = await forums.create();
});

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\nendobj\n%%EOF\n');
/** A document of an office suite. @param more parts beside the list of content types */
const office = (kind: Extension, more: Part[] = [], types = `${TYPES[kind]}.main+xml`): Buffer =>
  zipOf([{ name: '[Content_Types].xml', data: `<Types><Override ContentType="${types}"/></Types>` }, ...more]);
const text = (content: string, encoding: BufferEncoding = 'utf8') => Buffer.from(content, encoding);
const bytesOf = (kind: Extension): Buffer =>
  ({ png, pdf: PDF, txt: text('Bring a towel.'), csv: text('a;ä\n1;2\n', 'latin1') })[kind as 'png'] ?? office(kind);

async function send(person: { token: string }, content: Buffer, name: string, type: string, where = forum) {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(content)], { type }), name);
  const headers = { Authorization: `Bearer ${person.token}` };
  const answer = await fetch(stage.api.url + pathOf(where, 'attachments'), { method: 'POST', headers, body });
  return { status: answer.status, body: await answer.json() };
}
const sendAs = (kind: Extension, content = bytesOf(kind)) => send(world.member, content, `file.${kind}`, TYPES[kind]);
async function upload(
  kind: Extension = 'txt',
  person: { token: string } = world.member,
  where = forum,
): Promise<string> {
  const { status, body } = await send(person, bytesOf(kind), `file.${kind}`, TYPES[kind], where);
  expect([status, body.id]).toEqual([201, expect.any(String)]);
  return body.id;
}
const posts = (...more: string[]) => pathOf(forum, 'posts', ...more);
const writePost = (attachments: string[], person = world.member, fields = {}) =>
  as(person).post(posts(), { title: 'Plans', body: 'See below.', attachments, ...fields });
const newPost = async (attachments: string[]): Promise<string> => {
  const made = await writePost(attachments);
  expect([made.status, made.body.code]).toEqual([201, undefined]);
  return made.body.id;
};
const remove = (path: string, body?: object) => stage.admin.send('DELETE', path, body);
/** Statuses of stored files, in the order of the ids. */
const filesOf = async (ids: string[]) => {
  const found = await asOwner<{ id: string; status: string }>('SELECT id, status FROM stored_files');
  return ids.map((id) => found.find((file) => file.id === id)?.status);
};
const fileOf = async (attachment: string): Promise<string> =>
  (await asOwner<{ file_id: string }>('SELECT file_id FROM forum_attachments WHERE id = $1', [attachment]))[0]
    ?.file_id as string;
const leftovers = () => asOwner(`SELECT purpose FROM stored_files WHERE status NOT IN ('kept', 'removing')`);

test('an image is drawn anew, shown inline for five minutes, and only in the detail of its text', async () => {
  const { status, body } = await sendAs('png');
  expect(status).toBe(201);
  const attachment = {
    id: expect.any(String),
    kind: 'image',
    file_name: 'file.png',
    size_bytes: expect.any(Number),
    status: 'ready',
    url: null,
    url_expires_at: null,
  };
  expect(body).toEqual(attachment);
  const key = aKey();
  const made = await writePost([body.id], world.member, { idempotency_key: key });
  expect(made.body.attachments).toEqual([body]);
  expect((await writePost([body.id], world.member, { idempotency_key: key })).body).toEqual(made.body);
  expect((await writePost([], world.member, { idempotency_key: key })).body.code).toBe('idempotency_mismatch');
  const [shown] = (await stage.officer.get(posts(made.body.id))).body.attachments;
  expect(shown).toEqual({ ...attachment, url: expect.any(String), url_expires_at: expect.any(String) });
  const lifetime = Date.parse(shown.url_expires_at) - Date.now();
  expect(lifetime > 280_000 && lifetime <= 300_000).toBe(true);
  const answer = await fetch(shown.url);
  expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
    'image/jpeg',
    `inline; filename="file.jpg"; filename*=UTF-8''file.jpg`,
  ]);
  const picture = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect([picture.format, picture.width, picture.height, picture.exif]).toEqual(['jpeg', 2048, 410, undefined]);
  storage.clock.skewMs = 301_000;
  expect((await fetch(shown.url)).status).toBe(403);
  storage.clock.skewMs = 0;
  const [listed] = (await stage.officer.get(posts())).body.results;
  expect([listed.id, listed.attachments]).toEqual([made.body.id, undefined]);
});

test('documents of every type are taken, saved under their name, and listed with comments without a URL', async () => {
  const post = await newPost([]);
  const kinds = ['pdf', 'docx', 'xlsx', 'pptx', 'txt', 'csv'] as const;
  const ids: string[] = [];
  for (const kind of kinds) ids.push(await upload(kind));
  const made = await stage.member.post(posts(post, 'comments'), { body: 'All', attachments: ids });
  const path = posts(post, 'comments', made.body.id);
  const { attachments } = (await stage.officer.get(path)).body;
  expect(attachments.map(({ file_name, kind }: Record<string, string>) => [file_name, kind])).toEqual(
    kinds.map((kind) => [`file.${kind}`, 'document']),
  );
  const answers = await Promise.all(attachments.map(({ url }: { url: string }) => fetch(url)));
  expect(answers.map(({ headers }) => headers.get('content-type'))).toEqual(kinds.map((kind) => TYPES[kind]));
  for (const { headers } of answers)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="file\./);
  const [listed] = (await stage.officer.get(posts(post, 'comments'))).body.results;
  expect(listed.attachments.map(({ id, url }: Record<string, unknown>) => [id, url])).toEqual(
    ids.map((id) => [id, null]),
  );
});

const BOMB = Buffer.alloc(1_000_000);
const jpegHeader = (side: number): Buffer => {
  const frame = Buffer.from('ffc2001108000000000301220002110103110100', 'hex');
  frame.writeUInt16BE(side, 5);
  frame.writeUInt16BE(side, 7);
  return Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), frame, Buffer.alloc(512)]);
};

test.each<[string, string, string, () => Buffer]>([
  ['an SVG', 'file.svg', TYPES.svg, () => text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a page', 'file.html', TYPES.html, () => text('<p>Hi')],
  ['a file without an extension', 'file', TYPES.txt, () => text('Hi')],
  ['a file with another declared type', 'file.pdf', TYPES.txt, () => PDF],
  ['a file with another name', 'file.txt', TYPES.pdf, () => PDF],
  ['a picture with the name and type of another format', 'file.jpg', TYPES.jpg, () => png],
  ['a page that claims to be a picture', 'file.png', TYPES.png, () => text('<!doctype html>')],
  ['a page that claims to be text', 'file.txt', TYPES.txt, () => text('\ufeff \n<HTML>')],
  ['a script within a text', 'file.csv', TYPES.csv, () => text(`${'a;b\n'.repeat(50_000)}<ScRiPt>alert(1)</script>`)],
  ['a page in UTF-16', 'file.txt', TYPES.txt, () => text('\ufeff hi <svg onload=alert(1)>', 'utf16le')],
  ['a program', 'file.txt', TYPES.txt, () => Buffer.concat([text('x'.repeat(3000)), Buffer.from([0x7f, 0, 1])])],
  ['a PDF after text', 'file.txt', TYPES.txt, () => Buffer.concat([text('Hello\n'), PDF])],
  ['a PDF that is an archive, too', 'file.pdf', TYPES.pdf, () => Buffer.concat([PDF, office('docx')])],
  ['a document that is a PDF, too', 'file.docx', TYPES.docx, () => office('docx', [{ name: '%PDF-1.7', data: '' }])],
  ['a workbook as a document', 'file.docx', TYPES.docx, () => office('xlsx')],
  ['an archive', 'file.docx', TYPES.docx, () => zipOf([{ name: 'word/document.xml', data: 'x' }])],
  ['an archive with data after it', 'file.docx', TYPES.docx, () => Buffer.concat([office('docx'), text('<script>')])],
  ['macros', 'file.docx', TYPES.docx, () => office('docx', [{ name: 'word/VbaProject.BIN', data: 'x' }])],
  [
    'renamed macros',
    'file.xlsx',
    TYPES.xlsx,
    () =>
      office('xlsx', [{ name: 'xl/a.bin', data: 'x' }], `${TYPES.xlsx}.main+xml application/vnd.ms-office.vbaProject`),
  ],
  ['an encrypted document', 'file.docx', TYPES.docx, () => office('docx', [{ name: 'a', data: 'x', flags: 1 }])],
  [
    'parts that overlap',
    'file.xlsx',
    TYPES.xlsx,
    () =>
      office('xlsx', [
        { name: 'a', data: BOMB },
        { name: 'b', data: '', of: 'a' },
      ]),
  ],
  ['parts of 3 GB', 'file.xlsx', TYPES.xlsx, () => office('xlsx', [{ name: 'a', data: BOMB, size: 3_000_000_000 }])],
  [
    'a list of types that unpacks to more than it states',
    'file.xlsx',
    TYPES.xlsx,
    () =>
      zipOf([{ name: '[Content_Types].xml', data: Buffer.concat([text(`${TYPES.xlsx}.main+xml`), BOMB]), size: 100 }]),
  ],
])('%s is refused with attachment_type', async (_what, name, type, content) => {
  const { status, body } = await send(world.member, content(), name, type);
  expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'attachment_type', ['file']]);
  expect(await leftovers()).toEqual([]);
});

test.each<[string, () => Buffer, number, string]>([
  ['a picture of 119 megapixels', () => jpegHeader(10_920), 400, 'validation_error'],
  ['a damaged picture', () => jpegHeader(100), 400, 'validation_error'],
  [
    'a picture above 10 MB',
    () => Buffer.concat([jpegHeader(100), Buffer.alloc(10 * 1024 ** 2)]),
    413,
    'body_too_large',
  ],
])('%s is refused', async (_what, content, status, code) => {
  const answer = await sendAs('jpg', content());
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(await leftovers()).toEqual([]);
});

test('an empty file, one above 20 MB, two files, and JSON are refused', async () => {
  expect((await sendAs('txt', Buffer.alloc(0))).body.errors).toHaveProperty('file');
  expect((await sendAs('txt', Buffer.alloc(20 * 1024 ** 2 + 1, 'a'))).status).toBe(413);
  expect((await stage.member.post(pathOf(forum, 'attachments'), { file: 'x' })).status).toBe(415);
  const two = new FormData();
  for (const name of ['one.txt', 'two.txt']) two.append('file', new Blob(['Hi'], { type: TYPES.txt }), name);
  const headers = { Authorization: `Bearer ${world.member.token}` };
  const url = stage.api.url + pathOf(forum, 'attachments');
  expect((await fetch(url, { method: 'POST', headers, body: two })).status).toBe(400);
  expect(await leftovers()).toEqual([]);
  expect(await asOwner('SELECT FROM forum_attachments WHERE forum_id = $1', [forum])).toEqual([]);
});

test('a person uploads a hundred files a day, counted apart from other files', async () => {
  const person = await aMember(world.organizationId, world.chapterId);
  const uploaded = (purpose: string, count: number) =>
    asOwner(
      `INSERT INTO stored_files (organization_id, purpose, uploaded_by) SELECT $1, $2, $3 FROM generate_series(1, $4)`,
      [world.organizationId, purpose, person.userId, count],
    );
  await uploaded('request_document', 100);
  await uploaded('forum_image', 99);
  await upload('txt', person);
  const refused = await send(person, bytesOf('txt'), 'file.txt', TYPES.txt);
  expect([refused.status, refused.body.code]).toEqual([409, 'too_many_files']);
});

test('those who write in the forum upload; the first upload in an open forum makes a person a member', async () => {
  const refusal = async (person: Person, where = forum) => {
    const { status, body } = await send(person, bytesOf('txt'), 'file.txt', TYPES.txt, where);
    return body.code ?? status;
  };
  expect(await refusal(world.officer)).toBe(201);
  expect((await forums.row(forum, world.officer))?.status).toBe('active');
  await stage.officer.delete(pathOf(forum, 'membership'));
  expect(await refusal(world.officer)).toBe('forum_membership_required');
  const closed = await forums.create({ visibility: 'invite_only' });
  await expectNowhere(closed, (id) => stage.member.post(pathOf(id, 'attachments')));
  expect(await refusal(world.member, closed)).toBe('not_found');
  await asOwner('UPDATE forums SET is_archived = true WHERE id = $1', [forum]);
  expect(await refusal(world.member)).toBe('forum_archived');
  expect((await stage.nobody.post(pathOf(forum, 'attachments'))).status).toBe(401);
});

test('a text has at most ten files, its author’s, of its forum, and none of another text', async () => {
  const used = await upload();
  await newPost([used]);
  const elsewhere = await upload('txt', world.member, await forums.create());
  const foreign = await upload('txt', world.officer);
  const old = await upload();
  await asOwner(`UPDATE stored_files SET status = 'removing', name = NULL WHERE id = $1`, [await fileOf(old)]);
  const own = await upload();
  for (const id of [used, elsewhere, foreign, old, randomUUID()]) {
    const { status, body } = await writePost([own, id]);
    expect([status, Object.keys(body.errors)]).toEqual([400, ['attachments']]);
  }
  expect((await writePost([own, own])).status).toBe(400);
  expect((await writePost(Array.from({ length: 11 }, () => randomUUID()))).body.errors).toHaveProperty('attachments');
  expect((await writePost(['x'])).status).toBe(400);
  const answers = await during(
    'SELECT FROM forum_attachments WHERE id = $1 FOR UPDATE',
    [own],
    [() => writePost([own]), () => writePost([own])],
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(1);
});

test('an edit replaces the attachments: the others are removed with their files', async () => {
  const [one, two, three] = [await upload(), await upload(), await upload()];
  const files = await Promise.all([one, two, three].map(fileOf));
  const post = await newPost([one, two]);
  const edited = await stage.member.patch(posts(post), { attachments: [three, two], version: 1 });
  expect(edited.body).toMatchObject({ version: 2, edited_at: expect.any(String) });
  expect(edited.body.attachments.map(({ id }: { id: string }) => id)).toEqual([three, two]);
  expect(await filesOf(files)).toEqual(['removing', 'kept', 'kept']);
  expect((await stage.member.patch(posts(post), { attachments: [three, two] })).body.version).toBe(2);
  expect((await stage.member.patch(posts(post), { attachments: [], version: 1 })).body.code).toBe('stale_version');
  // A moderator removes files of another person's text, and adds none.
  const reason = 'Too large.';
  const foreign = await upload('txt', world.admin);
  expect((await stage.admin.patch(posts(post), { attachments: [foreign], reason })).status).toBe(400);
  const moderated = await stage.admin.patch(posts(post), { attachments: [two], reason });
  expect(moderated.body.attachments).toHaveLength(1);
  expect(await filesOf(files)).toEqual(['removing', 'kept', 'removing']);
});

test('only those who see the text get a URL; a deleted text loses its files', async () => {
  const ids = [await upload(), await upload()];
  const files = await Promise.all(ids.map(fileOf));
  const post = await newPost(ids.slice(0, 1));
  const made = await stage.member.post(posts(post, 'comments'), { body: 'Mine', attachments: ids.slice(1) });
  for (const person of [world.otherOfficer, stage.other.admin])
    for (const path of [posts(post), posts(post, 'comments', made.body.id)])
      expect((await as(person).get(path)).status).toBe(404);
  expect((await stage.admin.get(`/api/files/${files[0]}/`)).status).toBe(404);
  expect((await stage.member.get(`/api/files/${files[0]}/`)).status).toBe(404);
  await stage.member.delete(posts(post, 'comments', made.body.id));
  expect(await filesOf(files)).toEqual(['kept', 'removing']);
  await remove(posts(post), { reason: 'Off topic.' });
  expect((await stage.officer.get(posts(post))).body.attachments).toEqual([]);
  // The author may appeal: the text that a moderator removed keeps its files until it is erased.
  expect(await filesOf(files)).toEqual(['kept', 'removing']);
  await asOwner(`UPDATE forum_posts SET deleted_at = now() - interval '31 days' WHERE id = $1`, [post]);
  expect(await eraseDeletedTexts(10)).toBe(false);
  expect(await filesOf(files)).toEqual(['removing', 'removing']);
  expect(await asOwner('SELECT FROM forum_attachments WHERE id = ANY ($1)', [ids])).toEqual([]);
});

test('the sweep removes files in no text after a day, and those of erased texts', async () => {
  const [old, fresh, attached, erased] = [await upload(), await upload(), await upload(), await upload()];
  const files = await Promise.all([old, fresh, attached, erased].map(fileOf));
  await newPost([attached]);
  const post = await newPost([erased]);
  await asOwner(`ALTER TABLE stored_files DISABLE TRIGGER stored_files_keep`);
  await asOwner(`UPDATE stored_files SET kept_at = kept_at - interval '25 hours' WHERE id = ANY ($1) AND id <> $2`, [
    files,
    files[1],
  ]);
  await asOwner(`ALTER TABLE stored_files ENABLE TRIGGER stored_files_keep`);
  await asOwner(
    `UPDATE forum_posts SET deleted_at = now() - interval '31 days', deleted_by = author_id WHERE id = $1`,
    [post],
  );
  expect(await eraseDeletedTexts(10)).toBe(false);
  expect(await filesOf(files)).toEqual(['kept', 'kept', 'kept', 'removing']);
  await removeNextFiles();
  expect(await filesOf(files)).toEqual([undefined, 'kept', 'kept', 'removing']);
  expect((await writePost([old])).status).toBe(400);
});

test('a forum without posts is deleted with the uploads in it', async () => {
  const id = await upload();
  expect((await stage.admin.delete(pathOf(forum))).status).toBe(204);
  expect(await asOwner('SELECT FROM forum_attachments WHERE id = $1', [id])).toEqual([]);
});

test('files of an erased person’s texts stay, and uploads in no text are removed', async () => {
  const person = await aMember(world.organizationId, world.chapterId);
  const [attached, loose] = [await upload('txt', person), await upload('txt', person)];
  const files = await Promise.all([attached, loose].map(fileOf));
  const { body } = await writePost([attached], person);
  await inTenant(world.organizationId, () => eraseInOrganization(person.userId));
  expect(await filesOf(files)).toEqual(['kept', 'removing']);
  expect((await stage.officer.get(posts(body.id))).body.attachments).toMatchObject([{ id: attached, status: 'ready' }]);
});

describe('with a scanner', () => {
  aScanner();
  const scan = async (fileId: string) => scanStoredFile({ organizationId: world.organizationId, fileId });
  const infected = () => Buffer.concat([PDF, Buffer.from(EICAR)]);
  const shown = async (post: string) => (await stage.officer.get(posts(post))).body.attachments;

  test('a text stands while its document is scanned; an infected one is refused, and images are ready', async () => {
    const sent = await sendAs('pdf', infected());
    expect(sent.body.status).toBe('processing');
    const ids = [sent.body.id, await upload('png'), await upload('pdf')];
    const files = await Promise.all(ids.map(fileOf));
    const post = await newPost(ids);
    expect((await shown(post)).map(({ status, url }: Record<string, unknown>) => [status, url !== null])).toEqual([
      ['processing', false],
      ['ready', true],
      ['processing', false],
    ]);
    expect(await scan(files[0] as string)).toBe('infected');
    expect(await scan(files[2] as string)).toBe('clean');
    expect((await shown(post)).map(({ status, url }: Record<string, unknown>) => [status, url !== null])).toEqual([
      ['refused', false],
      ['ready', true],
      ['ready', true],
    ]);
    expect((await stage.member.patch(posts(post), { attachments: ids.slice(1) })).body.attachments).toHaveLength(2);
  });

  test('an infected file in no text is gone', async () => {
    const { id } = (await sendAs('pdf', infected())).body;
    expect(await scan(await fileOf(id))).toBe('infected');
    expect((await writePost([id])).status).toBe(400);
  });
});
