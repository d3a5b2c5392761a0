/**
 * An organization's files move to a store of its own: very many that are small, and one that is larger than any worker's memory.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Client } from 'pg';
import { keyOf } from '../../models/organizations/files/storedFiles.js';
import { PLATFORM_ADMIN_EMAIL } from '../seeding/people.js';
import { OWN_STORAGE } from '../stack/storage.js';
import type { Objects } from '../standins/storage/objects.js';
import type { StorageStandin } from '../standins/storage/server.js';
import { type Check, check, figure } from './audience.js';
import { watched } from './memory.js';
import { until } from './until.js';
import { ask, signIn, type World } from './world.js';

export const MOVING = 'files that move';

interface Scene {
  owner: Client;
  api: string;
  world: World;
  /** Starts the worker of what takes long. @returns its process */
  startWorker: () => Promise<number>;
  /** What lies in the platform's store. */
  from: Objects;
  to: StorageStandin;
  files: number;
  /** Of the large one. */
  megabytes: number;
}

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;
const SMALL_BYTES = 100 * KILOBYTE;
const PATIENCE = { pollMs: 200, patienceMs: 900_000, otherwise: 'The files do not move to the end.' };

interface Move {
  id: string;
  status: string;
  files_moved: number;
}

export async function measureMoving({ owner, api, world, startWorker, from, to, ...sizes }: Scene): Promise<Check[]> {
  const { files, megabytes } = sizes;
  const admin = { ...(await signIn(api, PLATFORM_ADMIN_EMAIL)), 'Content-Type': 'application/json' };
  const path = `/api/platform/organizations/${world.organizationId}`;
  await makeFiles(owner, world, from, sizes);
  const store = await chooseStore(api, `${path}/storage-config/`, admin, to.url);
  const {
    answer,
    megabytes: taken,
    seconds,
  } = await watched(await startWorker(), () => move(api, `${path}/storage-migrations/`, admin, store));
  if (answer.files_moved !== files + 1) throw new Error(`${answer.files_moved} files were moved of ${files + 1}.`);
  await leaveStore(api, `${path}/storage-config/`, admin);
  const read = to.calls().filter(({ action }) => action === 'GetObject').length;
  return [
    figure(`${files} files of 100 kB and one of ${megabytes} MB moved to an organization's own store`, seconds, 's'),
    check('the worker that moves them', taken, 350, 'MB'),
    check('files that were compared there, each once', read, files + 1, 'files'),
  ];
}

interface Sizes {
  files: number;
  megabytes: number;
}

/** Files as if they had been uploaded, in the platform's store. */
async function makeFiles(owner: Client, { organizationId }: World, store: Objects, { files, megabytes }: Sizes) {
  const small = randomBytes(SMALL_BYTES);
  const rows: { id: string; size_bytes: number; sha256: string }[] = [];
  const keep = async (size_bytes: number, parts: () => Iterable<Buffer>) => {
    const id = randomUUID();
    const digest = createHash('sha256');
    for (const part of parts()) digest.update(part);
    await store.put(keyOf(organizationId, id), Readable.from(parts()), null);
    rows.push({ id, size_bytes, sha256: digest.digest('hex') });
  };
  for (let n = 0; n < files; n += 1) {
    small.writeUInt32BE(n);
    await keep(small.length, () => [small]);
  }
  const part = randomBytes(MEGABYTE);
  await keep(megabytes * MEGABYTE, () => Array.from({ length: megabytes }, () => part));
  await owner.query(
    `INSERT INTO stored_files (id, organization_id, purpose, uploaded_by, status, name, media_type, size_bytes, sha256, kept_at)
     SELECT f.id, $1, 'import', (SELECT user_id FROM organization_admins WHERE organization_id = $1 LIMIT 1), 'kept', 'roster.csv',
            'text/csv', f.size_bytes, f.sha256, now()
       FROM json_to_recordset($2::json) AS f (id uuid, size_bytes bigint, sha256 text)`,
    [organizationId, JSON.stringify(rows)],
  );
  await owner.query('ANALYZE stored_files');
}

/** New files go there from now on. @returns its id */
async function chooseStore(api: string, path: string, headers: Record<string, string>, endpoint: string) {
  const { bucket, accessKeyId: access_key_id, secretAccessKey: secret_access_key } = OWN_STORAGE;
  const body = { provider: 's3_compatible', endpoint, region: 'us-east-1', bucket, access_key_id, secret_access_key };
  const answer = await ask(api, { method: 'PUT', path, headers, body: JSON.stringify(body) });
  return (answer as { store: { id: string } }).store.id;
}

/** What comes later lies in the platform's store again: this one is not there any more by then. */
async function leaveStore(api: string, path: string, headers: Record<string, string>): Promise<void> {
  const { status } = await fetch(api + path, { method: 'DELETE', headers });
  if (status !== 204) throw new Error(`The store was left with ${status}.`);
}

/** All that lies in the platform's store, to the end. */
async function move(api: string, path: string, headers: Record<string, string>, to: string): Promise<Move> {
  const body = JSON.stringify({ from: null, to, dry_run: false });
  const { migration } = (await ask(api, { method: 'POST', path, headers, body })) as { migration: Move };
  return until(async () => {
    const found = (await ask(api, { method: 'GET', path: `${path}${migration.id}/`, headers })) as Move;
    if (found.status === 'completed') return found;
    if (!['planned', 'copying', 'verifying'].includes(found.status)) throw new Error(`The move is ${found.status}.`);
    return null;
  }, PATIENCE);
}
