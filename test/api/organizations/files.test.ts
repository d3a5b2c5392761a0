/** Tests files: uploads, checks of their content, storage, and downloads by signed addresses. */
import { createHash, randomUUID } from 'node:crypto';
import net from 'node:net';
import { config } from '../../../config.js';
import { removeNextFiles } from '../../../activities/organizations/removeFiles.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person } from '../../support/world.js';
import { aStore } from '../../gateways/storage.support.js';

const storage = aStore();
const stage = apiWorld();
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2000, 7)]);

const addressOf = (purpose: string, world = stage.world) =>
  `${stage.api.url}/api/organizations/${world.organizationId}/files/?purpose=${purpose}`;
function form(content: Buffer | string, name = 'photo.png', field = 'file') {
  const body = new FormData();
  body.append(field, new Blob([new Uint8Array(Buffer.from(content))]), name);
  return body;
}
const upload = (by: Person, purpose: string, body: FormData | string, headers: object = {}) =>
  fetch(addressOf(purpose), {
    method: 'POST',
    headers: { Authorization: `Bearer ${by.token}`, ...headers },
    body,
  });
const storeFile = async (
  by: Person,
  content: Buffer | string = PNG,
  purpose = 'request_document',
  name = 'photo.png',
) => {
  const answer = await upload(by, purpose, form(content, name));
  expect(answer.status).toBe(201);
  return (await answer.json()) as { id: string; name: string; sha256: string };
};
const download = (by: Person, id: string) =>
  fetch(`${stage.api.url}/api/files/${id}/`, {
    headers: { Authorization: `Bearer ${by.token}` },
    redirect: 'manual',
  });
const rowsLeft = () => asOwner<{ status: string }>(`SELECT status FROM stored_files WHERE status <> 'kept'`);
/** Moves the end of all uploads into the past. */
const sweep = async () => {
  await asOwner(`UPDATE stored_files SET created_at = created_at - interval '2 hours' WHERE status <> 'kept'`);
  return removeNextFiles();
};

test('a member uploads a picture and downloads it by a signed address', async () => {
  const { member } = stage.world;
  const file = await storeFile(member, PNG, 'request_document', '../../Wahl März.png');
  expect(file).toMatchObject({
    name: 'Wahl März.png',
    media_type: 'image/png',
    size_bytes: PNG.length,
    sha256: createHash('sha256').update(PNG).digest('hex'),
    uploaded_by: member.userId,
  });
  const answer = await download(member, file.id);
  expect(answer.status).toBe(302);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const found = await fetch(answer.headers.get('location') as string);
  expect(Buffer.from(await found.arrayBuffer())).toEqual(PNG);
  expect(found.headers.get('content-disposition')).toMatch(/^attachment/);
  await expectNowhere(file.id, (id) => stage.as(stage.other.admin).get(`/api/files/${id}/`));
  expect(storage.objects.keys()).toContain(`${stage.world.organizationId}/${file.id}`);
});

describe('a document of a status change request', () => {
  const inChapter = (role = 'member') => aMember(stage.world.organizationId, stage.world.chapterId, role);
  const ask = (person: Person, document: string, status = 'alumni') =>
    stage
      .as(person)
      .post(`/api/memberships/${person.membershipId}/status-change-requests/`, { status, reason: 'Look.', document });
  const statusesOf = async (readers: Person[], id: string) => {
    const answers = await Promise.all(readers.map((reader) => download(reader, id)));
    return answers.map(({ status }) => status);
  };
  const rowOf = (id: string) => asOwner('SELECT status, name FROM stored_files WHERE id = $1', [id]);

  test('a document can be read by its uploader, and by the approvers after the request is filed', async () => {
    const { admin, officer, otherOfficer, regionalAdmin, member } = stage.world;
    const person = await inChapter();
    const readers = [person, officer, admin, regionalAdmin, otherOfficer, member];
    const { id } = await storeFile(person);
    expect(await statusesOf(readers, id)).toEqual([302, 404, 404, 404, 404, 404]);
    const { status, body } = await ask(person, id);
    expect([status, body.document]).toEqual([201, id]);
    expect(await statusesOf(readers, id)).toEqual([302, 302, 302, 404, 404, 404]);
  });

  test('a document skips the officers if its request skips them', async () => {
    const { otherOfficer, admin, organizationId } = stage.world;
    const { id } = await storeFile(otherOfficer);
    expect((await ask(otherOfficer, id, 'associate')).body.first_tier_skipped).toBe(true);
    const later = await aMember(organizationId, otherOfficer.chapterId, 'officer');
    expect(await statusesOf([otherOfficer, admin, later], id)).toEqual([302, 302, 404]);
  });

  test("a document must be the uploader's own and belongs to one request", async () => {
    const { member, admin } = stage.world;
    const person = await inChapter();
    const { id } = await storeFile(person);
    const list = await storeFile(admin, 'a,b\n1,2\n', 'import');
    const unfinished = await storeFile(person);
    await asOwner(`UPDATE stored_files SET status = 'removing' WHERE id = $1`, [unfinished.id]);
    const foreign = await asOwner<{ id: string }>(
      `INSERT INTO stored_files (organization_id, purpose, uploaded_by) VALUES ($1, 'request_document', $2) RETURNING id`,
      [stage.other.organizationId, stage.other.member.userId],
    );
    const refusals = [];
    for (const document of [(await storeFile(member)).id, list.id, unfinished.id, foreign[0]?.id ?? '', randomUUID()])
      refusals.push(await ask(person, document));
    expect((await ask(person, id)).status).toBe(201);
    refusals.push(await ask(await inChapter(), id));
    for (const { status, body } of refusals) expect([status, body]).toEqual([400, refusals[0]?.body]);
    expect(refusals[0]?.body.errors).toHaveProperty('document');
  });

  test('a document is removed with a withdrawn request and stays with a decided one', async () => {
    const person = await inChapter();
    const inside = `/api/organizations/${stage.world.organizationId}/status-change-requests`;
    const first = await storeFile(person);
    const { body: back } = await ask(person, first.id);
    await stage.as(person).post(`${inside}/${back.id}/withdraw/`);
    expect(await rowOf(first.id)).toEqual([{ status: 'removing', name: null }]);
    const second = await storeFile(person);
    const { body: decided } = await ask(person, second.id);
    await stage.officer.post(`${inside}/${decided.id}/review/`, { decision: 'reject', notes: 'No.' });
    await asOwner(`UPDATE stored_files SET shown_at = shown_at - interval '9 days' WHERE id = $1`, [second.id]);
    await sweep();
    expect((await download(stage.world.officer, second.id)).status).toBe(302);
    expect((await stage.officer.get(`${inside}/${back.id}/`)).body).toMatchObject({
      status: 'withdrawn',
      document: null,
    });
  });

  test('a document without a request is removed a day after its upload', async () => {
    const person = await inChapter();
    const keptFor = async (hours: number) => {
      const [row] = await asOwner<{ id: string }>(
        `INSERT INTO stored_files (organization_id, purpose, uploaded_by, status, name, media_type, size_bytes, sha256, kept_at)
         VALUES ($1, 'request_document', $2, 'kept', 'photo.png', 'image/png', 1, repeat('0', 64), now() - $3 * interval '1 hour')
         RETURNING id`,
        [stage.world.organizationId, person.userId, hours],
      );
      return row?.id ?? '';
    };
    const [old, fresh] = [await keptFor(25), await keptFor(23)];
    await removeNextFiles();
    expect([await rowOf(old), await rowOf(fresh)]).toEqual([[], [{ status: 'kept', name: 'photo.png' }]]);
  });
});

test('an import file is for admins, and its type is that of its content', async () => {
  const { admin, officer } = stage.world;
  expect((await upload(officer, 'import', form('a,b\n1,2\n'))).status).toBe(403);
  const file = await storeFile(admin, 'a;b\n1;ä\n', 'import', 'roster.xlsx');
  expect(file).toMatchObject({ media_type: 'text/csv', name: 'roster.xlsx' });
  expect((await download(officer, file.id)).status).toBe(404);
});

test.each<[string, () => FormData | string, object, number, string]>([
  ['another kind than asked for', () => form('<script>alert(1)</script>', 'photo.png'), {}, 400, 'validation_error'],
  ['a program', () => form(Buffer.from('7f454c4602010100', 'hex')), {}, 400, 'validation_error'],
  ['an empty file', () => form(''), {}, 400, 'validation_error'],
  ['another field', () => form(PNG, 'photo.png', 'photo'), {}, 400, 'validation_error'],
  ['no file', () => new FormData(), {}, 400, 'validation_error'],
  ['JSON', () => '{}', { 'Content-Type': 'application/json' }, 415, 'unsupported_media_type'],
  ['no form', () => 'x', { 'Content-Type': 'multipart/form-data; boundary=b' }, 400, 'malformed_request'],
  ['more than it may have', () => form(Buffer.concat([PNG, Buffer.alloc(11_000_000)])), {}, 413, 'body_too_large'],
])('%s is refused, and nothing of it remains', async (_what, body, headers, status, code) => {
  const answer = await upload(stage.world.member, 'request_document', body(), headers);
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([status, code]);
  await sweep();
  expect(await rowsLeft()).toEqual([]);
});

test('an upload with two files or with a field beside the file is refused', async () => {
  const two = form(PNG);
  two.append('file', new Blob([new Uint8Array(PNG)]), 'second.png');
  const field = form(PNG);
  field.append('purpose', 'import');
  for (const body of [two, field])
    expect((await upload(stage.world.member, 'request_document', body)).status).toBe(400);
});

test('an upload that the client aborts leaves nothing behind', async () => {
  const { member } = stage.world;
  // Remove the files of earlier tests.
  while ((await rowsLeft()).length > 0) await sweep();
  const { port } = new URL(stage.api.url);
  const { pathname, search } = new URL(addressOf('request_document'));
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST ${pathname}${search} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${member.token}\r\nContent-Length: 9000\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
  );
  socket.write(PNG);
  while ((await rowsLeft()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  socket.destroy();
  while ((await rowsLeft())[0]?.status !== 'removing') await new Promise((resolve) => setTimeout(resolve, 20));
  await sweep();
  expect(await rowsLeft()).toEqual([]);
});

test('files answer 503 without storage or during its outage, and everything else works', async () => {
  const { member } = stage.world;
  const { id } = await storeFile(member);
  const real = config.storage;
  storage.fail(503, 3);
  const down = await upload(member, 'request_document', form(PNG));
  Object.assign(config, { storage: null });
  const none = [down, await upload(member, 'request_document', form(PNG)), await download(member, id)];
  Object.assign(config, { storage: real });
  for (const answer of none) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await answer.json()).toMatchObject({ code: 'storage_unavailable' });
  }
});

test('the sweep removes unfinished uploads, deletes their rows after the store confirms, and is repeatable after a crash', async () => {
  const { member } = stage.world;
  const before = storage.objects.keys();
  const { id } = await storeFile(member);
  await asOwner(`INSERT INTO stored_files (organization_id, purpose, uploaded_by) VALUES ($1, 'import', $2)`, [
    stage.world.organizationId,
    member.userId,
  ]);
  await removeNextFiles();
  expect(await rowsLeft()).toContainEqual({ status: 'uploading' });
  await asOwner(`UPDATE stored_files SET status = 'removing' WHERE id = $1`, [id]);
  storage.fail(503, 3);
  await expect(sweep()).rejects.toThrow('The store');
  expect((await download(member, id)).status).toBe(404);
  expect(await sweep()).toBe(false);
  expect(await rowsLeft()).toEqual([]);
  expect(storage.objects.keys()).toEqual(before);
});

test('a stored file cannot change its content or become current again after removal', async () => {
  const { id } = await storeFile(stage.world.member);
  const change = (set: string) => asOwner(`UPDATE stored_files SET ${set} WHERE id = $1`, [id]);
  for (const set of [`sha256 = repeat('0', 64)`, 'size_bytes = 1', `status = 'uploading'`])
    await expect(change(set)).rejects.toThrow('does not become another');
  await change(`status = 'removing'`);
  await expect(change(`status = 'kept'`)).rejects.toThrow('does not become another');
});

test("an erasure removes the person's documents", async () => {
  const person = await aMember(stage.world.organizationId, stage.world.chapterId);
  const { id } = await storeFile(person);
  await inTenant(stage.world.organizationId, () => eraseInOrganization(person.userId));
  expect(await asOwner('SELECT status, name FROM stored_files WHERE id = $1', [id])).toEqual([
    { status: 'removing', name: null },
  ]);
});
