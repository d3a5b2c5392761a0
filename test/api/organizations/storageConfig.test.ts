/** Tests organizations' own stores: new files go to the active store, and each file is read from where it is stored. */
import dns from 'node:dns';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { MockActivityEnvironment } from '@temporalio/testing';
import { config } from '../../../config.js';
import { readImport } from '../../../activities/organizations/imports.js';
import { writeRoster } from '../../../activities/organizations/rosterExports.js';
import { removeNextFiles } from '../../../activities/organizations/removeFiles.js';
import { OWN_STORAGE } from '../../../development/stack/storage.js';
import { withStore } from '../../../gateways/storage/withStore.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { beginFile, completeUpload, objectKey } from '../../../models/organizations/files/storedFiles.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { eventually } from '../../support/platform.js';
import { aPlatformAdmin, aWorld, type Person, type World } from '../../support/world.js';
import { aStore } from '../../gateways/storage.support.js';

const CROSS = { bucket: 'southern-cross', accessKeyId: 'southern-cross', secretAccessKey: 'southern-secret' };
const SPARE = { bucket: 'southern-cross', accessKeyId: 'southern-spare', secretAccessKey: 'southern-spare-secret' };
const storage = aStore([CROSS, SPARE]);
const stage = apiWorld();
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2000, 7)]);

beforeAll(() => void Object.assign(config, { STORAGE_ALLOWED_HOSTS: [new URL(storage.url).host] }));
afterEach(() => jest.restoreAllMocks());

const path = (id = stage.world.organizationId) => `/api/organizations/${id}/storage-config/`;
const given = ({ bucket, accessKeyId, secretAccessKey }: typeof CROSS | typeof OWN_STORAGE, more: object = {}) => ({
  provider: 's3_compatible',
  endpoint: storage.url,
  region: 'us-east-1',
  bucket,
  prefix: '',
  access_key_id: accessKeyId,
  secret_access_key: secretAccessKey,
  ...more,
});
interface Store {
  id: string;
  bucket: string;
  files: number;
}
interface Shown {
  store: Store | null;
  earlier: Store[];
  version: number;
}
const put = (world: World, body: object) => stage.as(world.admin).put<Shown>(path(world.organizationId), body);
const chosen = async (world: World, body: object) => {
  const answer = await put(world, body);
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body;
};
const shown = async (world: World) => (await stage.as(world.admin).get<Shown>(path(world.organizationId))).body;
const tried = async (world: World) => (await stage.as(world.admin).post(`${path(world.organizationId)}test/`)).body;

const upload = (world: World, by: Person = world.member) => {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(PNG)]), 'photo.png');
  const address = `${stage.api.url}/api/organizations/${world.organizationId}/files/?purpose=request_document`;
  return fetch(address, { method: 'POST', headers: { Authorization: `Bearer ${by.token}` }, body });
};
const storeFile = async (world: World) => {
  const answer = await upload(world);
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: string }).id;
};
const download = (world: World, id: string) =>
  fetch(`${stage.api.url}/api/files/${id}/`, {
    headers: { Authorization: `Bearer ${world.member.token}` },
    redirect: 'manual',
  });
const bytesOf = async (world: World, id: string) => {
  const answer = await download(world, id);
  expect(answer.status).toBe(302);
  const found = await fetch(answer.headers.get('location') as string);
  return Buffer.from(await found.arrayBuffer());
};
const keysIn = (bucket: string) => storage.objectsIn(bucket).keys();
const rowOf = (id: string) =>
  asOwner('SELECT status, storage_config_id FROM stored_files WHERE id = $1', [id]).then(([row]) => row);
/** Moves abandoned uploads, removals and inactive stores two hours into the past, and sweeps. */
const sweep = async () => {
  await asOwner(`UPDATE stored_files SET created_at = created_at - interval '2 hours' WHERE status <> 'kept'`);
  await asOwner('ALTER TABLE storage_configs DISABLE TRIGGER USER');
  await asOwner(`UPDATE storage_configs SET updated_at = now() - interval '2 hours' WHERE NOT is_active`);
  await asOwner('ALTER TABLE storage_configs ENABLE TRIGGER USER');
  return removeNextFiles();
};
const removed = (id: string) => asOwner(`UPDATE stored_files SET status = 'removing' WHERE id = $1`, [id]);

test('the storage configuration is for admins of the organization and of the platform', async () => {
  const { organizationId } = stage.world;
  const platform = stage.as(await aPlatformAdmin());
  const platformPath = (id: string) => `/api/platform/organizations/${id}/storage-config/`;
  expect((await stage.nobody.get(path())).status).toBe(401);
  for (const client of [stage.officer, stage.member])
    for (const answer of [
      await client.get(path()),
      await client.put(path(), given(OWN_STORAGE)),
      await client.delete(path()),
      await client.post(`${path()}test/`),
    ])
      expect(answer.status).toBe(403);
  expect((await stage.admin.get(platformPath(organizationId))).status).toBe(403);
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.put(path(id), given(OWN_STORAGE)));
  const nothing = { store: null, earlier: [], version: 0 };
  for (const answer of [await stage.admin.get(path()), await platform.get(platformPath(organizationId))])
    expect([answer.status, answer.body]).toEqual([200, nothing]);
  expect((await platform.get(platformPath(stage.world.member.userId))).status).toBe(404);
  expect((await platform.put(platformPath(stage.world.member.userId), given(OWN_STORAGE))).status).toBe(404);
  for (const answer of [
    await stage.admin.post(`${path()}test/`),
    await platform.post(`${platformPath(organizationId)}test/`),
  ])
    expect(answer).toMatchObject({ status: 409, body: { code: 'no_own_store' } });

  expect(await platform.put(platformPath(organizationId), given(OWN_STORAGE))).toMatchObject({
    status: 200,
    body: { store: { bucket: OWN_STORAGE.bucket }, version: 1 },
  });
  expect((await platform.post(`${platformPath(organizationId)}test/`)).body).toEqual({
    failed_step: null,
    answer: null,
  });
  expect(keysIn(OWN_STORAGE.bucket)).toEqual([]);
  expect((await platform.delete(platformPath(organizationId))).status).toBe(204);
  expect((await stage.admin.get(path())).body).toEqual(nothing);
});

test('the secret is in no answer and cannot be used with another store', async () => {
  const world = await aWorld();
  const { body } = await put(world, given(CROSS, { prefix: '/members/files' }));
  expect(body).toMatchObject({
    store: { provider: 's3_compatible', endpoint: storage.url, prefix: 'members/files/', source: 'manual', files: 0 },
    version: 1,
  });
  const again = given(CROSS, {
    prefix: 'members/files/',
    region: 'eu-central-1',
    secret_access_key: undefined,
    version: 1,
  });
  expect((await put(world, again)).body).toMatchObject({
    store: { id: body.store?.id, region: 'eu-central-1' },
    version: 2,
  });
  expect(await put(world, again)).toMatchObject({ status: 409, body: { code: 'stale_version' } });
  for (const other of [{ prefix: '' }, { bucket: 'another' }, { access_key_id: 'another' }])
    expect(await put(world, { ...again, version: 2, ...other })).toMatchObject({
      status: 400,
      body: { errors: { secret_access_key: [expect.any(String)] } },
    });
  await put(world, { ...given(CROSS), prefix: 'members/files/', secret_access_key: 'southern-secret-II' });
  const [stored] = await asOwner<{ sealed: string }>(
    'SELECT secret_access_key_encrypted AS sealed FROM storage_configs WHERE organization_id = $1',
    [world.organizationId],
  );
  expect(stored?.sealed).toMatch(/^v1\./);
  const log = JSON.stringify(
    await asOwner('SELECT * FROM audit_log WHERE organization_id = $1', [world.organizationId]),
  );
  expect(log).toContain('storage_config.secret_replaced');
  expect(log + JSON.stringify(await shown(world))).not.toMatch(/southern-secret|v1\./);
});

test.each<[object, string]>([
  [{ endpoint: 'http://files.example.org' }, 'endpoint'],
  [{ endpoint: 'https://files.example.org/a' }, 'endpoint'],
  [{ endpoint: 'https://user@files.example.org' }, 'endpoint'],
  [{ endpoint: 'https://files.example.org\\@127.0.0.1' }, 'endpoint'],
  [{ endpoint: 'ftp://files.example.org' }, 'endpoint'],
  [{ endpoint: null }, 'endpoint'],
  [{ provider: 'aws_s3' }, 'endpoint'],
  [{ provider: 'azure' }, 'provider'],
  [{ region: 'x@example.org/' }, 'region'],
  [{ bucket: '../etc' }, 'bucket'],
  [{ bucket: 'a' }, 'bucket'],
  [{ prefix: 'a/../b' }, 'prefix'],
  [{ prefix: 'a//b' }, 'prefix'],
  [{ access_key_id: 'a/b' }, 'access_key_id'],
  [{ secret_access_key: 'a\nb' }, 'secret_access_key'],
  [{ source: 'provisioned' }, 'source'],
  [{ is_active: false }, 'is_active'],
])('%j is refused', async (more, field) => {
  expect(await put(stage.world, given(OWN_STORAGE, more))).toMatchObject({
    status: 400,
    body: { errors: { [field]: [expect.any(String)] } },
  });
});

test("organizations with different stores never see each other's objects, and older files are read where they are", async () => {
  const [north, south] = [await aWorld(), await aWorld()];
  const before = await storeFile(north);
  await chosen(north, given(OWN_STORAGE, { prefix: 'files/' }));
  await chosen(south, given(CROSS));
  const [ofNorth, ofSouth] = [await storeFile(north), await storeFile(south)];
  expect(keysIn(OWN_STORAGE.bucket)).toEqual([`files/${north.organizationId}/${ofNorth}`]);
  expect(keysIn(CROSS.bucket)).toEqual([`${south.organizationId}/${ofSouth}`]);
  expect(storage.objects.keys()).toContain(`${north.organizationId}/${before}`);
  expect(storage.objects.keys().join()).not.toMatch(new RegExp(`${ofNorth}|${ofSouth}`));
  for (const [world, id] of [
    [north, before],
    [north, ofNorth],
    [south, ofSouth],
  ] as const)
    expect(await bytesOf(world, id)).toEqual(PNG);
  await expectNowhere(ofSouth, (id) => stage.as(north.admin).get(`/api/files/${id}/`));

  // Naming the other's bucket gives no access: the key does not open it.
  await chosen(north, given(OWN_STORAGE, { bucket: CROSS.bucket }));
  expect(await tried(north)).toEqual({ failed_step: 'write', answer: 'AccessDenied' });
  expect((await upload(north)).status).toBe(503);
  await expect(
    inTenant(north.organizationId, () =>
      asOwner(
        'UPDATE stored_files SET storage_config_id = (SELECT id FROM storage_configs WHERE organization_id = $1) WHERE id = $2',
        [south.organizationId, before],
      ),
    ),
  ).rejects.toThrow('stored_files_storage_config');
});

test('an inactive store is read until it is empty and then deleted, and a running upload ends in its first store', async () => {
  const world = await aWorld();
  await chosen(world, given(CROSS));
  const [first, second] = [await storeFile(world), await storeFile(world)];
  const begun = await inTenant(world.organizationId, () => beginFile('request_document', world.member.userId));
  const { store, earlier } = await chosen(world, given(OWN_STORAGE));
  expect([store?.bucket, store?.files, earlier.map(({ bucket, files }) => [bucket, files])]).toEqual([
    OWN_STORAGE.bucket,
    0,
    [[CROSS.bucket, 3]],
  ]);
  await withStore(begun.location.store, (to) =>
    to.put(objectKey(world.organizationId, begun.id, begun.location), Readable.from([PNG])),
  );
  const facts = { name: 'late.png', media_type: 'image/png', size_bytes: PNG.length, sha256: '0'.repeat(64) };
  await inTenant(world.organizationId, () => completeUpload(begun.id, facts));
  const third = await storeFile(world);
  for (const id of [first, second, begun.id, third]) expect(await bytesOf(world, id)).toEqual(PNG);
  expect(await rowOf(third)).toMatchObject({ storage_config_id: store?.id });

  await removed(first);
  await sweep();
  expect(await rowOf(first)).toBeUndefined();
  expect(keysIn(CROSS.bucket)).not.toContain(`${world.organizationId}/${first}`);
  expect((await shown(world)).earlier).toMatchObject([{ bucket: CROSS.bucket, files: 2 }]);
  // Choosing it again reactivates the same store.
  const { id: formerStore } = earlier[0] as Store;
  expect((await chosen(world, given(CROSS))).store?.id).toBe(formerStore);
  const [last] = [await chosen(world, given(OWN_STORAGE))];
  expect(last.version).toBeGreaterThan(5);
  for (const id of [second, begun.id]) await removed(id);
  await sweep();
  expect(
    await asOwner('SELECT bucket FROM storage_configs WHERE organization_id = $1', [world.organizationId]),
  ).toEqual([{ bucket: OWN_STORAGE.bucket }]);
  expect(await bytesOf(world, third)).toEqual(PNG);
});

test("a revoked key stops one organization's files until it has another key, and leaves no row without a file", async () => {
  const [world, beside] = [await aWorld(), await aWorld()];
  await chosen(world, given(SPARE));
  const [there, going, other] = [await storeFile(world), await storeFile(world), await storeFile(beside)];
  storage.revoke(SPARE.accessKeyId);
  for (const answer of [await upload(world), await download(world, there)]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await answer.json()).toMatchObject({ code: 'storage_unavailable' });
  }
  expect(await tried(world)).toEqual({ failed_step: 'write', answer: 'InvalidAccessKeyId' });
  const health = await stage.as(world.admin).get(`/api/organizations/${world.organizationId}/`);
  expect([health.status, await bytesOf(beside, other)]).toEqual([200, PNG]);
  const unfinished = () =>
    asOwner<{ status: string }>(`SELECT status FROM stored_files WHERE organization_id = $1 AND status <> 'kept'`, [
      world.organizationId,
    ]);
  expect(await unfinished()).toEqual([{ status: 'removing' }]);
  for (const id of [going, other]) await removed(id);
  await sweep();
  expect([await rowOf(going), await rowOf(other)]).toEqual([
    expect.objectContaining({ status: 'removing' }),
    undefined,
  ]);

  await chosen(world, given(CROSS));
  expect(await tried(world)).toEqual({ failed_step: null, answer: null });
  expect(await bytesOf(world, there)).toEqual(PNG);
  await sweep();
  expect([await unfinished(), await rowOf(going)]).toEqual([[], undefined]);
  // An object that the organization's admins have deleted is a 404.
  storage.objectsIn(CROSS.bucket).remove(`${world.organizationId}/${there}`);
  expect((await download(world, there)).status).toBe(404);
});

/** A store that answers deletions so slowly that they never end. */
async function aSlowStore() {
  const server = http.createServer((request, response) => {
    request.resume();
    response.writeHead(200, { ETag: '"x"', 'Content-Type': 'application/xml' });
    if (request.method === 'DELETE') {
      const timer = setInterval(() => response.write(' '), 500);
      response.once('close', () => clearInterval(timer));
    } else response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { host: `127.0.0.1:${port}`, close };
}

test("a store that never finishes a deletion does not block others' deletions", async () => {
  const slow = await aSlowStore();
  config.STORAGE_ALLOWED_HOSTS.push(slow.host);
  const [world, beside] = [await aWorld(), await aWorld()];
  for (const bucket of ['aaa', 'bbb', 'ccc']) {
    await chosen(world, given(CROSS, { endpoint: `http://${slow.host}`, bucket }));
    await removed(await storeFile(world));
  }
  await chosen(beside, given(OWN_STORAGE));
  const ids = [await storeFile(beside)];
  await chosen(beside, given(CROSS));
  ids.push(await storeFile(beside));
  for (const id of ids) await removed(id);
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => late.signal);
  const late = new AbortController();
  const swept = sweep();
  await eventually(
    () => Promise.all(ids.map(rowOf)),
    (rows) => rows.every((row) => row === undefined),
  );
  late.abort();
  timeout.mockRestore();
  expect(await swept).toBe(false);
  slow.close();
});

test('uploads that failed in a missing bucket are abandoned with it', async () => {
  const world = await aWorld();
  await chosen(world, given(OWN_STORAGE, { bucket: 'mistyped' }));
  expect((await upload(world)).status).toBe(503);
  await chosen(world, given(OWN_STORAGE));
  await sweep();
  expect(await shown(world)).toMatchObject({ store: { bucket: OWN_STORAGE.bucket }, earlier: [] });
});

test("rosters are written to the organization's store, and imports read from it are unchanged or fail", async () => {
  const world = await aWorld();
  const { organizationId } = world;
  await chosen(world, given(CROSS));
  const environment = new MockActivityEnvironment();
  const requested = await stage
    .as(world.admin)
    .post<{ id: string }>(`/api/organizations/${organizationId}/roster-exports/`, {
      format: 'csv',
    });
  await environment.run(writeRoster, { organizationId, exportId: requested.body.id });
  const written = await stage
    .as(world.admin)
    .get<{ download_url: string }>(`/api/roster-exports/${requested.body.id}/`);
  const roster = await (await fetch(written.body.download_url)).text();
  expect(new URL(written.body.download_url).pathname).toMatch(new RegExp(`^/${CROSS.bucket}/${organizationId}/`));
  expect(roster).toContain(world.member.email);

  const body = new FormData();
  body.append('file', new Blob([roster]), 'roster.csv');
  const answer = await fetch(`${stage.api.url}/api/organizations/${organizationId}/imports/`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${world.admin.token}` },
    body,
  });
  const { id } = (await answer.json()) as { id: string };
  const input = { organizationId, importId: id, step: 'read', run: '1' } as const;
  const [stored] = await asOwner<{ file_id: string }>('SELECT file_id FROM bulk_imports WHERE id = $1', [id]);
  const key = `${organizationId}/${stored?.file_id}`;
  const objects = storage.objectsIn(CROSS.bucket);
  expect(objects.keys()).toContain(key);
  await objects.put(key, Readable.from([Buffer.from(roster.replace(world.member.email, 'mallory@example.org'))]), null);
  await expect(environment.run(readImport, input)).rejects.toThrow('other bytes');
  await objects.put(key, Readable.from([Buffer.from(roster)]), null);
  await environment.run(readImport, input);
  expect((await stage.as(world.admin).get(`/api/imports/${id}/`)).body).toMatchObject({ stage: 'mapping' });
});

test('of two concurrent choices of a store one gets a conflict, and one store is active', async () => {
  const world = await aWorld();
  const answers = await Promise.all([
    put(world, given(CROSS, { version: 0 })),
    put(world, given(OWN_STORAGE, { version: 0 })),
  ]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  const active = await asOwner('SELECT id FROM storage_configs WHERE organization_id = $1 AND is_active', [
    world.organizationId,
  ]);
  expect(active).toHaveLength(1);
});

describe('a test of a store', () => {
  const at = async (more: object) => {
    await chosen(stage.world, given(OWN_STORAGE, more));
    return tried(stage.world);
  };

  test('a failed test names its step', async () => {
    expect(await at({ bucket: 'nowhere' })).toEqual({ failed_step: 'write', answer: 'NoSuchBucket' });
    expect(await at({ secret_access_key: 'another' })).toEqual({
      failed_step: 'write',
      answer: 'SignatureDoesNotMatch',
    });
    expect(await at({ endpoint: 'https://127.0.0.1:1' })).toEqual({
      failed_step: 'connect',
      answer: 'forbidden_address',
    });
    expect(await at({ endpoint: 'https://[::1]:1' })).toEqual({ failed_step: 'connect', answer: 'forbidden_address' });
  });

  test('a test does not follow a name to a private address, even after a change of its DNS', async () => {
    const { port } = new URL(storage.url);
    const real = dns.lookup.bind(dns) as (...of: unknown[]) => void;
    let leadsTo = ['127.0.0.1'];
    const lookups: string[] = [];
    jest.spyOn(dns, 'lookup').mockImplementation(((name: string, options: object, done: CallableFunction) => {
      if (!name.endsWith('.example.org')) return real(name, options, done);
      lookups.push(name);
      done(
        null,
        leadsTo.map((address) => ({ address, family: 4 })),
      );
    }) as never);
    const endpoint = `https://files.example.org:${port}`;
    expect(await at({ endpoint })).toEqual({ failed_step: 'connect', answer: 'forbidden_address' });
    leadsTo = ['93.184.216.34', '10.0.0.1'];
    expect(await tried(stage.world)).toEqual({ failed_step: 'connect', answer: 'forbidden_address' });
    expect((await upload(stage.world)).status).toBe(503);
    expect(lookups).toEqual(expect.arrayContaining(['files.example.org']));
    // The switch that allows private identity providers in development does not allow a private store.
    Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true });
    expect(await tried(stage.world)).toEqual({ failed_step: 'connect', answer: 'forbidden_address' });
    Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: false });
    expect((await stage.admin.delete(path())).status).toBe(204);
    expect((await upload(stage.world)).status).toBe(201);
  });

  test('tests of a store are rate-limited', async () => {
    const statuses: number[] = [];
    while (statuses.length < 15 && !statuses.includes(429))
      statuses.push((await stage.admin.post(`${path()}test/`)).status);
    expect(statuses).toContain(429);
  });
});
