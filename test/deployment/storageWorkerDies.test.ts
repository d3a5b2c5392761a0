/**
 * Workers that are killed during a migration of files and during the rotation of a key: no file is lost or incomplete, and every
 * read succeeds.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { config } from '../../config.js';
import { OWN_STORAGE, STORAGE_PROVISIONER } from '../../development/stack/storage.js';
import { withStore } from '../../gateways/storage/withStore.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { inTenant } from '../../models/database/tenancy.js';
import { locateFile } from '../../models/organizations/files/storedFiles.js';
import { aStore } from '../gateways/storage.support.js';
import type { Client } from '../support/api.js';
import { apiWorld } from '../support/apiWorld.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { storageWorkers } from '../support/storageWorkers.js';
import { aPlatformAdmin } from '../support/world.js';

const storage = aStore();
const stage = apiWorld();
const { world } = stage;
const workers = storageWorkers(storage, () => ({
  STORAGE_ALLOWED_HOSTS: new URL(storage.url).host,
  STORAGE_PROVISIONING_ACCESS_KEY_ID: STORAGE_PROVISIONER.accessKeyId,
  STORAGE_PROVISIONING_SECRET_ACCESS_KEY: STORAGE_PROVISIONER.secretAccessKey,
  STORAGE_PROVISIONING_ENDPOINT: storage.url,
  STORAGE_PROVISIONING_IDENTITY_ENDPOINT: storage.url,
  STORAGE_PROVISIONING_REGION: 'us-east-1',
  STORAGE_PROVISIONING_NAME: 'membership',
}));
let platform: Client;
const ofPlatform = (rest: string) => `/api/platform/organizations/${world.organizationId}/${rest}`;

beforeAll(async () => {
  await registerSearchAttributes();
  const { url } = storage;
  Object.assign(config, {
    STORAGE_ALLOWED_HOSTS: [new URL(url).host],
    storageProvisioning: {
      ...STORAGE_PROVISIONER,
      region: 'us-east-1',
      name: 'membership',
      endpoint: url,
      identityEndpoint: url,
    },
  });
  platform = stage.as(await aPlatformAdmin());
});

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const FILES = 12;
const keptFiles = new Map<string, string>();

async function keep(size: number): Promise<void> {
  const bytes = randomBytes(size);
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO stored_files (organization_id, purpose, uploaded_by, status, name, media_type, size_bytes, sha256, kept_at)
     VALUES ($1, 'import', $2, 'kept', 'a.csv', 'text/csv', $3, $4, now()) RETURNING id`,
    [world.organizationId, world.admin.userId, bytes.length, digest(bytes)],
  );
  const id = row?.id as string;
  await storage.objects.put(`${world.organizationId}/${id}`, Readable.from([bytes]), null);
  keptFiles.set(id, digest(bytes));
}

/** Reads from the storage that the row names, like the API. @returns the digest of the bytes */
async function read(id: string): Promise<string> {
  const located = await inTenant(world.organizationId, () => locateFile(id));
  if (!located) throw new Error('The file is gone.');
  const { store, prefix } = located.location;
  const address = await withStore(store, (one) =>
    one.signedUrl(`${prefix}${world.organizationId}/${id}`, { name: 'a', mediaType: 'text/csv', seconds: 60 }),
  );
  return digest(Buffer.from(await (await fetch(address)).arrayBuffer()));
}
const expectWhole = async () => {
  for (const [id, sha256] of keptFiles) expect([id, await read(id)]).toEqual([id, sha256]);
};

test('a migration completes although its worker is killed twice, and every read succeeds in the meantime', async () => {
  // The first file is written in parts.
  for (let n = 0; n < FILES; n += 1) await keep(n === 0 ? 6_000_000 : 50_000);
  const { bucket, accessKeyId: access_key_id, secretAccessKey: secret_access_key } = OWN_STORAGE;
  const own = { provider: 's3_compatible', endpoint: storage.url, region: 'us-east-1', bucket };
  const chosen = await platform.put(ofPlatform('storage-config/'), { ...own, access_key_id, secret_access_key });
  const way = { from: null, to: chosen.body.store.id, dry_run: false };
  storage.fail('held', 1, 'CompleteMultipartUpload');
  const { id } = (await platform.post(ofPlatform('storage-migrations/'), way)).body.migration;
  const arriving = () =>
    asOwner<{ file_id: string }>("SELECT file_id FROM stored_file_copies WHERE status = 'arriving'");
  const readers = { goOn: true };
  const reading = (async () => {
    while (readers.goOn) await expectWhole();
  })();
  const there = () =>
    storage
      .objectsIn(bucket)
      .keys()
      .filter((key) => !key.includes('/test-')).length;
  const doomed = workers.start();
  // The bytes are stored, but the worker is killed before it gets the answer.
  await eventually(
    async () => there(),
    (count) => count === 1,
    60,
  );
  await workers.kill(doomed);
  expect(await arriving()).toHaveLength(1);
  const second = workers.start();
  await eventually(
    async () => there(),
    (count) => count >= 4,
    60,
  );
  await workers.kill(second);
  await expectWhole();
  workers.start();
  const { body } = await eventually(
    () => platform.get(ofPlatform(`storage-migrations/${id}/`)),
    (reply) => reply.body.status === 'completed',
    90,
  );
  readers.goOn = false;
  await reading;
  expect(body).toMatchObject({ files_moved: FILES, files_missing: 0, files_left: 0 });
  await expectWhole();
  expect(there()).toBe(FILES);
  expect(await arriving()).toEqual([]);
});

test('a rotation whose worker is killed after the provider made the key leaves one recorded key, and two at most in the meantime', async () => {
  const name = `membership-${world.organizationId}`;
  const keys = () => storage.identities.user(name)?.keys ?? [];
  const provision = () => platform.post(ofPlatform('storage-config/provision/'), { dry_run: false });
  await provision();
  const store = () => platform.get(ofPlatform('storage-config/'));
  const isProvisioned = ({ body }: Awaited<ReturnType<typeof store>>) => body.store?.source === 'provisioned';
  const { access_key_id: old } = (await eventually(store, isProvisioned, 60)).body.store;
  storage.identities.disableKey(old);
  const seen = new Set<number>();
  const watching = setInterval(() => seen.add(keys().length), 5);
  storage.fail('held', 1, 'CreateAccessKey');
  const provisioningRequest = provision();
  await eventually(
    async () => keys(),
    (all) => all.some(({ accessKeyId }) => accessKeyId !== old),
    60,
  );
  await workers.killAll();
  const unknown = keys().map(({ accessKeyId }) => accessKeyId);
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)]);
  const upload = () => {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(png)]), 'photo.png');
    const address = `${stage.api.url}/api/organizations/${world.organizationId}/files/?purpose=request_document`;
    return fetch(address, { method: 'POST', headers: { Authorization: `Bearer ${world.member.token}` }, body });
  };
  const refused = await upload();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  await expectWhole();
  workers.start();
  await provisioningRequest;
  const done = await eventually(
    store,
    ({ body }) => !unknown.includes(body.store.access_key_id) && body.store.access_key_id !== old,
    90,
  );
  const isOpen = await eventually(upload, ({ status }) => status === 201, 30);
  clearInterval(watching);
  expect(isOpen.status).toBe(201);
  expect(keys().map(({ accessKeyId }) => accessKeyId)).toEqual([done.body.store.access_key_id]);
  expect(Math.max(...seen)).toBeLessThanOrEqual(2);
  await expectWhole();
});
