/**
 * Measures how an organization's files move to its own storage: very many small files, and one file that is larger than
 * any worker's memory.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Client } from 'pg';
import { objectKey } from '../../models/organizations/files/storedFiles.js';
import { PLATFORM_ADMIN_EMAIL } from '../seeding/people.js';
import { OWN_STORAGE } from '../stack/storage.js';
import type { Objects } from '../standins/storage/objects.js';
import type { StorageStandin } from '../standins/storage/server.js';
import { type Check, check, figure } from './audience.js';
import { measureWork } from './memory.js';
import { until } from './until.js';
import { ask, signIn, type World } from './world.js';

export const MOVING = 'files that move';

interface Setup {
  owner: Client;
  api: string;
  world: World;
  /** Starts the worker of the bulk queue. @returns its process id */
  startWorker: () => Promise<number>;
  /** Files in the platform's storage. */
  from: Objects;
  to: StorageStandin;
  files: number;
  /** Size of the large file. */
  megabytes: number;
}

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;
const SMALL_BYTES = 100 * KILOBYTE;
const POLLING = { pollMs: 200, patienceMs: 900_000, otherwise: 'The files did not move in time.' };

interface Move {
  id: string;
  status: string;
  files_moved: number;
}

export async function measureMoving({ owner, api, world, startWorker, from, to, ...sizes }: Setup): Promise<Check[]> {
  const { files, megabytes } = sizes;
  const admin = { ...(await signIn(api, PLATFORM_ADMIN_EMAIL)), 'Content-Type': 'application/json' };
  const path = `/api/platform/organizations/${world.organizationId}`;
  await makeFiles(owner, world, from, sizes);
  const store = await configureStorage(api, `${path}/storage-config/`, admin, to.url);
  const {
    answer,
    megabytes: workerMegabytes,
    seconds,
  } = await measureWork(await startWorker(), () => move(api, `${path}/storage-migrations/`, admin, store));
  if (answer.files_moved !== files + 1) throw new Error(`${answer.files_moved} of ${files + 1} files were moved.`);
  await removeStorage(api, `${path}/storage-config/`, admin);
  const read = to.calls().filter(({ action }) => action === 'GetObject').length;
  return [
    figure(`${files} files of 100 kB and one of ${megabytes} MB moved to an organization's own store`, seconds, 's'),
    check('memory of the worker that moves them', workerMegabytes, 350, 'MB'),
    check('files read back for comparison, each once', read, files + 1, 'files'),
  ];
}

interface Sizes {
  files: number;
  megabytes: number;
}

/** Writes files to the platform's storage, as if they had been uploaded. */
async function makeFiles(owner: Client, { organizationId }: World, store: Objects, { files, megabytes }: Sizes) {
  const small = randomBytes(SMALL_BYTES);
  const rows: { id: string; size_bytes: number; sha256: string }[] = [];
  const storeFile = async (size_bytes: number, parts: () => Iterable<Buffer>) => {
    const id = randomUUID();
    const digest = createHash('sha256');
    for (const part of parts()) digest.update(part);
    await store.put(objectKey(organizationId, id), Readable.from(parts()), null);
    rows.push({ id, size_bytes, sha256: digest.digest('hex') });
  };
  for (let n = 0; n < files; n += 1) {
    small.writeUInt32BE(n);
    await storeFile(small.length, () => [small]);
  }
  const part = randomBytes(MEGABYTE);
  await storeFile(megabytes * MEGABYTE, () => Array.from({ length: megabytes }, () => part));
  await owner.query(
    `INSERT INTO stored_files (id, organization_id, purpose, uploaded_by, status, name, media_type, size_bytes, sha256, kept_at)
     SELECT f.id, $1, 'import', (SELECT user_id FROM organization_admins WHERE organization_id = $1 LIMIT 1), 'kept', 'roster.csv',
            'text/csv', f.size_bytes, f.sha256, now()
       FROM json_to_recordset($2::json) AS f (id uuid, size_bytes bigint, sha256 text)`,
    [organizationId, JSON.stringify(rows)],
  );
  await owner.query('ANALYZE stored_files');
}

/** Configures the organization's own storage for new files. @returns the storage's id */
async function configureStorage(api: string, path: string, headers: Record<string, string>, endpoint: string) {
  const { bucket, accessKeyId: access_key_id, secretAccessKey: secret_access_key } = OWN_STORAGE;
  const body = { provider: 's3_compatible', endpoint, region: 'us-east-1', bucket, access_key_id, secret_access_key };
  const answer = await ask(api, { method: 'PUT', path, headers, body: JSON.stringify(body) });
  return (answer as { store: { id: string } }).store.id;
}

/**
 * Removes the configuration of the organization's own storage. That storage is stopped after this measurement, so later
 * files must go to the platform's storage again.
 */
async function removeStorage(api: string, path: string, headers: Record<string, string>): Promise<void> {
  const { status } = await fetch(api + path, { method: 'DELETE', headers });
  if (status !== 204) throw new Error(`The removal of the storage was answered with ${status}.`);
}

/** Moves all files of the platform's storage and waits for the end. */
async function move(api: string, path: string, headers: Record<string, string>, to: string): Promise<Move> {
  const body = JSON.stringify({ from: null, to, dry_run: false });
  const { migration } = (await ask(api, { method: 'POST', path, headers, body })) as { migration: Move };
  return until(async () => {
    const found = (await ask(api, { method: 'GET', path: `${path}${migration.id}/`, headers })) as Move;
    if (found.status === 'completed') return found;
    if (!['planned', 'copying', 'verifying'].includes(found.status))
      throw new Error(`The migration is ${found.status}.`);
    return null;
  }, POLLING);
}
