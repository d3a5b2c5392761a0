/** A worker moves an organization's files to another storage while they are read, deleted and uploaded. */
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { MockActivityEnvironment } from '@temporalio/testing';
import { config } from '../../config.js';
import { removeNextFiles } from '../../activities/organizations/removeFiles.js';
import {
  failStorageMigration,
  moveNextFiles,
  settleStorageMigration,
} from '../../activities/organizations/storageMigrations.js';
import { OWN_STORAGE } from '../../development/stack/storage.js';
import { inTenant } from '../../models/database/tenancy.js';
import { locateFile } from '../../models/organizations/files/storedFiles.js';
import {
  type FileToMove,
  recordMissing,
  switchFile,
  claimNextFile,
} from '../../models/organizations/storage-migrations/moveFile.js';
import { withStore } from '../../gateways/storage/withStore.js';
import { aStore } from '../gateways/storage.support.js';
import type { Client } from '../support/api.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { queueWorkers } from '../support/queueWorkers.js';
import { aPlatformAdmin, aWorld, type World } from '../support/world.js';

const storage = aStore();
const stage = apiWorld();
queueWorkers(['bulk'], { relay: true });
const environment = new MockActivityEnvironment();
let platform: Client;

beforeAll(async () => {
  Object.assign(config, { STORAGE_ALLOWED_HOSTS: [storage.url, renamed()].map((url) => new URL(url).host) });
  platform = stage.as(await aPlatformAdmin());
});

interface Move {
  id: string;
  status: string;
  workflow_id: string;
  files_moved: number;
  missing: string[];
}
const path = ({ organizationId }: World, rest = '') =>
  `/api/platform/organizations/${organizationId}/storage-migrations/${rest}`;
/** One storage at a second address. */
const renamed = () => storage.url.replace('127.0.0.1', 'localhost');
const choose = async ({ organizationId }: World, endpoint = storage.url): Promise<string> => {
  const { bucket, accessKeyId, secretAccessKey } = OWN_STORAGE;
  const answer = await platform.put<{ store: { id: string } }>(
    `/api/platform/organizations/${organizationId}/storage-config/`,
    {
      provider: 's3_compatible',
      endpoint,
      region: 'us-east-1',
      bucket,
      access_key_id: accessKeyId,
      secret_access_key: secretAccessKey,
    },
  );
  expect(answer.status).toBe(200);
  return answer.body.store.id;
};
const key = ({ organizationId }: World, id: string) => `${organizationId}/${id}`;

/** A stored file, in the platform's storage. */
async function aFile(world: World, bytes = randomBytes(500), isHeld = false): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO stored_files (organization_id, purpose, uploaded_by, status, scan, name, media_type, size_bytes, sha256, kept_at)
     VALUES ($1, 'import', $2, $5, $6, 'a.csv', 'text/csv', $3, $4, now()) RETURNING id`,
    [
      world.organizationId,
      world.admin.userId,
      bytes.length,
      sha256,
      ...(isHeld ? ['held', 'waiting'] : ['kept', null]),
    ],
  );
  const id = row?.id as string;
  await storage.objects.put(key(world, id), Readable.from([bytes]), null);
  return id;
}
async function files(world: World, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await aFile(world));
  return ids;
}
/** Reads a file from the storage that its row names, as the API does. */
async function read({ organizationId }: World, id: string): Promise<number> {
  const located = await inTenant(organizationId, () => locateFile(id));
  if (!located) throw new Error('The file is gone.');
  const { location: place } = located;
  const address = await withStore(place.store, (store) =>
    store.signedUrl(`${place.prefix}${organizationId}/${id}`, { name: 'a', mediaType: 'text/csv', seconds: 60 }),
  );
  return (await fetch(address)).status;
}
const started = async (world: World, way: object): Promise<Move> => {
  const answer = await platform.post<{ migration: Move }>(path(world), { ...way, dry_run: false });
  expect([answer.status, answer.body]).toMatchObject([202, { plan: null }]);
  return answer.body.migration;
};
const until = (world: World, { id }: Move, status: string) =>
  eventually(
    async () => (await platform.get<Move>(path(world, `${id}/`))).body,
    (move) => move.status === status,
    60,
  );
const rowOnly = async (world: World, way: { to: string | null }, from = 'platform'): Promise<string> => {
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO storage_migrations (organization_id, to_config_id, from_store, to_store)
     VALUES ($1, $2, $3, 'own') RETURNING id`,
    [world.organizationId, way.to, from],
  );
  return row?.id as string;
};
const purged = async (world: World, { id }: Move) => {
  await asOwner(`UPDATE storage_migrations SET ended_at = now() - interval '8 days' WHERE id = $1`, [id]);
  const answer = await platform.post<{ sources_left: number }>(path(world, `${id}/purge-source/`));
  expect(answer.status).toBe(200);
  await sweep();
  return answer.body;
};
/** Makes everything that is to be removed look an hour old. */
const sweep = async () => {
  await asOwner(`UPDATE stored_file_copies SET noted_at = noted_at - interval '2 hours'`);
  await asOwner(`UPDATE stored_files SET created_at = created_at - interval '2 hours' WHERE status = 'removing'`);
  await removeNextFiles();
};

test('files stay readable while they move, missing files are listed, and the source copies are purged a week later', async () => {
  const world = await aWorld();
  const ids = await files(world, 30);
  const [missing, other] = [await aFile(world), await aFile(world)];
  storage.objects.remove(key(world, missing));
  await storage.objects.put(key(world, other), Readable.from(['other bytes']), null);
  const to = await choose(world);
  const way = { from: null, to };
  expect(await platform.post(path(world), { ...way, dry_run: true })).toMatchObject({
    status: 200,
    body: { plan: { from_store: 'platform', files: 32 }, migration: null },
  });
  expect(await platform.post(path(world), { from: to, to: null, dry_run: true })).toMatchObject({
    status: 409,
    body: { code: 'store_not_active' },
  });
  const move = await started(world, way);
  const readers = { goOn: true };
  const statuses = new Set<number>();
  const reading = (async () => {
    while (readers.goOn) for (const id of ids) statuses.add(await read(world, id));
  })();
  const done = await until(world, move, 'completed_with_missing');
  readers.goOn = false;
  await reading;
  expect(done).toMatchObject({ files_moved: 30, files_missing: 2, files_left: 0, sources_left: 30 });
  expect(new Set(done.missing)).toEqual(new Set([missing, other]));
  await recordHistory(move.workflow_id, 'storageMigration-moves');
  for (const id of ids) statuses.add(await read(world, id));
  expect(statuses).toEqual(new Set([200]));
  const there = storage.objectsIn(OWN_STORAGE.bucket).keys();
  expect(there).toEqual(expect.arrayContaining(ids.map((id) => key(world, id))));
  expect(there).not.toEqual(expect.arrayContaining([key(world, missing)]));

  expect(await platform.post(path(world, `${move.id}/purge-source/`))).toMatchObject({
    status: 409,
    body: { code: 'storage_not_purgeable' },
  });
  // A deleted file leaves both storages, without a purge.
  await asOwner(`UPDATE stored_files SET status = 'removing' WHERE id = $1`, [ids[0]]);
  await sweep();
  for (const bucket of [storage.objects, storage.objectsIn(OWN_STORAGE.bucket)])
    expect(bucket.keys()).not.toContain(key(world, ids[0] as string));
  expect(storage.objects.keys()).toContain(key(world, ids[1] as string));
  await asOwner(`UPDATE storage_migrations SET ended_at = now() - interval '8 days' WHERE id = $1`, [move.id]);
  expect(await platform.post(path(world, `${move.id}/purge-source/`))).toMatchObject({
    status: 200,
    body: { sources_left: 0 },
  });
  await sweep();
  expect(storage.objects.keys().filter((one) => one.startsWith(world.organizationId))).toEqual([key(world, other)]);
  expect(await read(world, ids[1] as string)).toBe(200);
});

test('a file that was moved back is not purged as a leftover', async () => {
  const world = await aWorld();
  const [id] = (await files(world, 1)) as [string];
  const to = await choose(world);
  const first = await started(world, { from: null, to });
  await until(world, first, 'completed');
  expect((await platform.delete(`/api/platform/organizations/${world.organizationId}/storage-config/`)).status).toBe(
    204,
  );
  const back = await started(world, { from: to, to: null });
  await until(world, back, 'completed');
  await asOwner(`UPDATE storage_migrations SET ended_at = now() - interval '8 days' WHERE id = $1`, [first.id]);
  await platform.post(path(world, `${first.id}/purge-source/`));
  await sweep();
  expect(await read(world, id)).toBe(200);
  expect(storage.objects.keys()).toContain(key(world, id));
  expect((await platform.get(path(world))).body).toMatchObject({ count: 2 });
});

test('a migration between two names of the same storage removes no file', async () => {
  const world = await aWorld();
  const [id] = (await files(world, 1)) as [string];
  const leave = () => platform.delete(`/api/platform/organizations/${world.organizationId}/storage-config/`);
  const moved = async (from: string | null, to: string | null) => {
    const move = await started(world, { from, to });
    await until(world, move, 'completed');
    return move;
  };
  const old = await choose(world);
  await moved(null, old);
  const other = await choose(world, renamed());
  const across = await moved(old, other);
  expect(other).not.toBe(old);
  expect((await platform.get(path(world, `${across.id}/`))).body).toMatchObject({ files_moved: 1, sources_left: 0 });
  await purged(world, across);
  expect(await read(world, id)).toBe(200);

  // Through a third storage, the leftover under the old name is the same object as the file under the new one.
  await choose(world);
  await moved(other, old);
  await leave();
  const away = await moved(old, null);
  await choose(world, renamed());
  await moved(null, other);
  expect(await purged(world, away)).toMatchObject({ sources_left: 0 });
  expect(await read(world, id)).toBe(200);
  expect(await asOwner('SELECT FROM stored_file_copies WHERE migration_id = $1', [away.id])).toEqual([]);
});

test('a cancelled migration cannot be retried once one of its storages was deleted', async () => {
  const world = await aWorld();
  const ids = await files(world, 1);
  const id = await rowOnly(world, { to: await choose(world) }, 'https://old.example.org/bucket/');
  expect((await platform.post(path(world, `${id}/cancel/`))).status).toBe(200);
  expect(await platform.post(path(world, `${id}/retry/`))).toMatchObject({
    status: 409,
    body: { code: 'store_forgotten' },
  });
  expect(await asOwner('SELECT storage_config_id FROM stored_files WHERE id = $1', ids)).toEqual([
    { storage_config_id: null },
  ]);
});

describe('migration steps', () => {
  const steps = async (count: number) => {
    const world = await aWorld();
    const ids = await files(world, count);
    const to = await choose(world);
    const migrationId = await rowOnly(world, { to });
    return { world, ids, migrationId, input: { organizationId: world.organizationId, migrationId } };
  };
  const copies = (migrationId: string) =>
    asOwner<{ status: string }>('SELECT status FROM stored_file_copies WHERE migration_id = $1', [migrationId]);

  test('a migration step that runs again moves nothing twice, and continues after a storage outage', async () => {
    const { input, migrationId, ids, world } = await steps(2);
    // A file that waits for the scanner moves too, and continues to wait.
    const held = await aFile(world, undefined, true);
    // A file of several parts.
    await aFile(world, randomBytes(6_000_000));
    storage.fail(503, 3, 'CreateMultipartUpload');
    await expect(environment.run(moveNextFiles, input)).rejects.toThrow('The store');
    for (const id of ids) expect(await read(world, id)).toBe(200);
    expect(await copies(migrationId)).toContainEqual({ status: 'arriving' });
    expect(await environment.run(moveNextFiles, input)).toBe(false);
    expect(await environment.run(moveNextFiles, input)).toBe(false);
    expect(await settleStorageMigration(input)).toBe('completed');
    expect(await settleStorageMigration(input)).toBe('completed');
    const [row] = await asOwner('SELECT files_moved, status FROM storage_migrations WHERE id = $1', [migrationId]);
    expect(row).toEqual({ files_moved: 4, status: 'completed' });
    const where = 'SELECT status, storage_config_id IS NOT NULL AS has_moved FROM stored_files WHERE id = $1';
    expect(await asOwner(where, [held])).toEqual([{ status: 'held', has_moved: true }]);
  });

  test('a migration step that overlaps with another or finishes late does not remove the current file', async () => {
    const { input, world, migrationId, ids } = await steps(1);
    const [id] = ids as [string];
    const here = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
    const file = await here(() => claimNextFile(migrationId));
    if (!file) throw new Error('There is a file to move.');
    await environment.run(moveNextFiles, input);
    await here(() => switchFile(migrationId, file));
    await here(() => recordMissing(migrationId, file));
    expect(await copies(migrationId)).toEqual([{ status: 'left' }]);
    await asOwner(
      `INSERT INTO stored_file_copies (organization_id, file_id, storage_config_id, migration_id, status)
       SELECT organization_id, id, storage_config_id, $2, 'removing' FROM stored_files WHERE id = $1`,
      [id, migrationId],
    );
    await sweep();
    expect(await read(world, id)).toBe(200);
    expect(storage.objectsIn(OWN_STORAGE.bucket).keys()).toContain(key(world, id));
  });

  test('a migration step tries failed files after all others, and does not try missing files again', async () => {
    const { world, migrationId, ids } = await steps(2);
    const here = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
    const take = () => here(() => claimNextFile(migrationId));
    const [first, second] = [await take(), await take()];
    expect([first?.id, second?.id, (await take())?.id]).toEqual([...ids, ids[0]]);
    await here(() => recordMissing(migrationId, second as FileToMove));
    expect((await take())?.id).toBe(ids[0]);
    // A missing file is not looked for any more once it is deleted.
    await asOwner(`UPDATE stored_files SET status = 'removing' WHERE id = $1`, [second?.id]);
    await sweep();
    await sweep();
    expect(await copies(migrationId)).toEqual([{ status: 'arriving' }]);
  });

  test('a migration waits for uploads that began before it', async () => {
    const { input, world } = await steps(1);
    await asOwner(`INSERT INTO stored_files (organization_id, purpose, uploaded_by) VALUES ($1, 'import', $2)`, [
      world.organizationId,
      world.admin.userId,
    ]);
    await environment.run(moveNextFiles, input);
    expect(await settleStorageMigration(input)).toBe('waiting_for_uploads');
    const { body } = await platform.get<{ waits_for: string }>(path(world, `${input.migrationId}/`));
    expect(body.waits_for).toBe('uploads');
    await asOwner(`DELETE FROM stored_files WHERE organization_id = $1 AND status = 'uploading'`, [
      world.organizationId,
    ]);
    expect(await settleStorageMigration(input)).toBe('completed');
  });

  test('a migration that was cancelled during a file takes that file over at once when it is retried', async () => {
    const { input, world, migrationId, ids } = await steps(1);
    const [id] = ids as [string];
    await inTenant(world.organizationId, () => claimNextFile(migrationId));
    expect((await platform.post(path(world, `${migrationId}/cancel/`))).status).toBe(200);
    expect(await copies(migrationId)).toEqual([{ status: 'removing' }]);
    const retried = await platform.post<Move>(path(world, `${migrationId}/retry/`));
    expect(retried.status).toBe(202);
    await until(world, retried.body, 'completed');
    await sweep();
    expect(await read(world, id)).toBe(200);
    expect(await environment.run(moveNextFiles, input)).toBe(false);
  });

  test('a migration waits for a leftover object that the cleanup deletes, reports that, and never switches to it', async () => {
    const { input, world, migrationId, ids } = await steps(1);
    const [id] = ids as [string];
    const here = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
    const file = (await here(() => claimNextFile(migrationId))) as FileToMove;
    await asOwner(`UPDATE stored_file_copies SET status = 'removing', claimed_at = now() WHERE migration_id = $1`, [
      migrationId,
    ]);
    // The try that had begun before the claim finishes late: its object may be deleted at any moment.
    await here(() => switchFile(migrationId, file));
    expect(await asOwner('SELECT storage_config_id FROM stored_files WHERE id = $1', [id])).toEqual([
      { storage_config_id: null },
    ]);
    expect(await here(() => claimNextFile(migrationId))).toBeNull();
    expect(await settleStorageMigration(input)).toBe('waiting_for_removal');
    const { body } = await platform.get<{ waits_for: string }>(path(world, `${migrationId}/`));
    expect(body.waits_for).toBe('removal');
    await sweep();
    await environment.run(moveNextFiles, input);
    expect(await settleStorageMigration(input)).toBe('completed');
    expect(await read(world, id)).toBe(200);
  });

  test('a failed migration can be retried, and files of a cancelled one are where their rows say', async () => {
    const { input, world, migrationId, ids } = await steps(2);
    await failStorageMigration(input);
    await failStorageMigration(input);
    expect(await environment.run(moveNextFiles, input)).toBe(false);
    const retried = await platform.post<Move>(path(world, `${migrationId}/retry/`));
    expect(retried.status).toBe(202);
    await until(world, retried.body, 'completed');
    expect((await platform.post(path(world, `${migrationId}/cancel/`))).body).toMatchObject({
      code: 'storage_migration_ended',
    });
    expect((await platform.post(path(world, `${migrationId}/retry/`))).status).toBe(409);
    const [late] = (await files(world, 1)) as [string];
    const next = await rowOnly(world, { to: await choose(world) });
    const cancelled = await platform.post<Move>(path(world, `${next}/cancel/`));
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await environment.run(moveNextFiles, { ...input, migrationId: next })).toBe(false);
    for (const id of [...ids, late]) expect(await read(world, id)).toBe(200);
  });
});
