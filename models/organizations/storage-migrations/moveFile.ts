/**
 * One file after the other goes to another store. What may be in a store without being the file is on record before its first byte
 * (`stored_file_copies`), so that whatever ends in the middle leaves nothing that nobody knows of.
 */
import { changeRow, computed, lockIfThere, now } from '../../database/model/change.js';
import { loadIfThere } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import type { FileFacts } from '../files/storedFiles.js';
import { type Place, placeOf } from '../storage-config/places.js';
import { type MigrationStatus, StorageMigration } from './StorageMigration.js';

export interface FileToMove extends Pick<FileFacts, 'size_bytes' | 'sha256'> {
  id: string;
}

export interface Stores {
  from: Place;
  to: Place;
}

const RUNNING = new Set<MigrationStatus>(['planned', 'copying', 'verifying']);

/** SQL: whether a row's place is a store. @param n number of the parameter that has its id */
export const lies = (alias: string, store: string | null, n: number): string =>
  store === null ? `$${n}::uuid IS NULL AND ${alias}.storage_config_id IS NULL` : `${alias}.storage_config_id = $${n}`;

/** Between which stores it goes; null where it is over. @throws RowMissing */
export async function storesOf(id: string): Promise<Stores | null> {
  const found = await loadIfThere(StorageMigration, id);
  if (!found) throw new RowMissing('There is no such move of files.');
  if (!RUNNING.has(found.status)) return null;
  return { from: await placeOf(found.from_config_id), to: await placeOf(found.to_config_id) };
}

/**
 * The next file, noted as arriving; what was tried before comes last, so that one that cannot be had keeps back no other.
 * @param areApart false: both stores are one place, where nothing arrives and nothing is left
 * @returns null where there is none, or the move is over. @throws RowMissing
 */
export async function takeNextFile(id: string, areApart = true): Promise<FileToMove | null> {
  const migration = await lockIfThere(StorageMigration, id);
  if (!migration) throw new RowMissing('There is no such move of files.');
  const { status, from_config_id: from, to_config_id: to, started_at } = migration;
  if (!RUNNING.has(status)) return null;
  if (status !== 'copying') await changeRow(StorageMigration, id, { status: 'copying', started_at: started_at ?? now });
  const values = [currentOrganization(), from, id, to];
  const next =
    (await firstRow<FileToMove>(`${waiting(from, UNTRIED)} ORDER BY f.id LIMIT 1`, values)) ??
    (await firstRow<FileToMove>(`${waiting(from, '')} ORDER BY (${TRIED_AT}), f.id LIMIT 1`, values));
  if (!next || !areApart) return next;
  // If the sweep claims the leftover at this moment, the file waits until it is removed.
  return (await noteCopy(id, next.id, to, 'arriving')) ? next : takeNextFile(id, areApart);
}

const ARRIVING = `stored_file_copies c WHERE c.organization_id = $1 AND c.file_id = f.id AND c.status = 'arriving'
  AND c.storage_config_id IS NOT DISTINCT FROM $4::uuid`;
const TRIED_AT = `SELECT c.noted_at FROM ${ARRIVING}`;
const UNTRIED = `AND NOT EXISTS (SELECT FROM ${ARRIVING})`;

/**
 * SQL of the files that are still to go. A leftover of an earlier try is taken over, unless the sweep has claimed it: its object
 * may be deleted at any moment.
 */
const waiting = (from: string | null, more: string): string =>
  `SELECT f.id, f.size_bytes::float8 AS size_bytes, f.sha256 FROM stored_files f
    WHERE f.organization_id = $1 AND f.status IN ('held', 'kept') AND ${lies('f', from, 2)}
      AND NOT EXISTS (SELECT FROM stored_file_copies c WHERE c.organization_id = $1 AND c.file_id = f.id
                       AND ((c.status = 'missing' AND c.migration_id = $3)
                         OR (c.claimed_at IS NOT NULL AND c.storage_config_id IS NOT DISTINCT FROM $4::uuid))) ${more}`;

/**
 * The bytes are there, and compared: from now on the file is read there, and what it left is on record. A file that was given up
 * meanwhile, or a move that is over, leaves what arrived to the sweep.
 */
export async function switchFile(id: string, file: FileToMove, areApart = true): Promise<void> {
  const { status, from_config_id: from, to_config_id: to } = await lockMigration(id);
  const switched =
    RUNNING.has(status) &&
    (!areApart || (await isUnclaimed(to, file.id))) &&
    (await firstRow(
      `UPDATE stored_files f SET storage_config_id = $3
        WHERE f.organization_id = $1 AND f.id = $4 AND f.status IN ('held', 'kept') AND ${lies('f', from, 2)} RETURNING f.id`,
      [currentOrganization(), from, to, file.id],
    ));
  // Of two tries of a step the other one may have been here: then it is the file that lies there.
  if (!switched && (!areApart || (await isIn(to, file.id)))) return;
  if (!switched) {
    await noteCopy(id, file.id, to, 'removing');
    return;
  }
  await rows(
    `DELETE FROM stored_file_copies c WHERE c.organization_id = $1 AND c.file_id = $2
        AND c.storage_config_id IS NOT DISTINCT FROM $3::uuid`,
    [currentOrganization(), file.id, to],
  );
  if (areApart) await noteCopy(id, file.id, from, 'left');
  await changeRow(StorageMigration, id, {
    files_moved: computed('files_moved + 1'),
    bytes_moved: computed(`bytes_moved + ${Math.trunc(file.size_bytes)}`),
  });
}

/** The source has no such object, or another one: the file stays where its row says. */
export async function noteMissing(id: string, file: FileToMove, areApart = true): Promise<void> {
  const { from_config_id: from, to_config_id: to } = await lockMigration(id);
  if (!(await isIn(from, file.id))) return;
  if (areApart) await noteCopy(id, file.id, to, 'removing');
  await noteCopy(id, file.id, from, 'missing');
}

/** Whether a file lies in a store. */
const isIn = async (store: string | null, fileId: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM stored_files f WHERE f.organization_id = $1 AND f.id = $3 AND f.status IN ('held', 'kept') AND ${lies('f', store, 2)}
        FOR NO KEY UPDATE`,
    [currentOrganization(), store, fileId],
  )) !== null;

async function lockMigration(id: string): Promise<StorageMigration> {
  const found = await lockIfThere(StorageMigration, id);
  if (!found) throw new RowMissing('There is no such move of files.');
  return found;
}

type CopyStatus = 'arriving' | 'left' | 'removing' | 'missing';

/** Whether the copy in the destination is on record and the sweep does not delete it; locks the record until the commit. */
const isUnclaimed = async (store: string | null, fileId: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM stored_file_copies c WHERE c.organization_id = $1 AND c.file_id = $2
        AND c.storage_config_id IS NOT DISTINCT FROM $3::uuid AND c.claimed_at IS NULL FOR UPDATE`,
    [currentOrganization(), fileId, store],
  )) !== null;

/** Records a copy. @returns false when the sweep has claimed it */
const noteCopy = async (id: string, fileId: string, store: string | null, status: CopyStatus): Promise<boolean> =>
  (await firstRow(
    `INSERT INTO stored_file_copies (organization_id, file_id, storage_config_id, migration_id, status)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT stored_file_copies_once
       DO UPDATE SET status = excluded.status, migration_id = excluded.migration_id, noted_at = now()
       WHERE stored_file_copies.claimed_at IS NULL RETURNING id`,
    [currentOrganization(), fileId, store, id, status],
  )) !== null;
