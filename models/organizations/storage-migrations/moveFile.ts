/**
 * Moves files to another storage one by one. Copies in the target and objects left behind in the source are recorded in
 * `stored_file_copies`, a copy before its first byte is written. An interruption therefore leaves no unknown objects.
 */
import { changeRow, computed, lockForEditIfExists, now } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import type { FileFacts } from '../files/storedFiles.js';
import { type StorageLocation, readLocation } from '../storage-config/storageLocations.js';
import { type MigrationStatus, StorageMigration } from './StorageMigration.js';

export interface FileToMove extends Pick<FileFacts, 'size_bytes' | 'sha256'> {
  id: string;
}

export interface Stores {
  from: StorageLocation;
  to: StorageLocation;
}

const RUNNING = new Set<MigrationStatus>(['planned', 'copying', 'verifying']);

/**
 * SQL condition: the file of a row is in this storage.
 * @param n number of the SQL parameter that holds the storage's id
 */
export const isStoredIn = (alias: string, store: string | null, n: number): string =>
  store === null ? `$${n}::uuid IS NULL AND ${alias}.storage_config_id IS NULL` : `${alias}.storage_config_id = $${n}`;

/** Returns the two storages of a migration; null if it has ended. @throws RowMissing */
export async function readMigrationStores(id: string): Promise<Stores | null> {
  const migration = await loadIfExists(StorageMigration, id);
  if (!migration) throw new RowMissing('The storage migration does not exist.');
  if (!RUNNING.has(migration.status)) return null;
  return { from: await readLocation(migration.from_config_id), to: await readLocation(migration.to_config_id) };
}

/**
 * Returns the next file to move and records that its copy is about to arrive in the target. Files that were tried
 * before come last, so that a file that fails does not block others.
 * @param areDistinct false: source and target are the same bucket and prefix, so nothing is copied or left behind
 * @returns null if no file is left, or the migration has ended.
 * @throws RowMissing
 */
export async function claimNextFile(id: string, areDistinct = true): Promise<FileToMove | null> {
  const migration = await lockForEditIfExists(StorageMigration, id);
  if (!migration) throw new RowMissing('The storage migration does not exist.');
  const { status, from_config_id: from, to_config_id: to, started_at } = migration;
  if (!RUNNING.has(status)) return null;
  if (status !== 'copying') await changeRow(StorageMigration, id, { status: 'copying', started_at: started_at ?? now });
  const values = [currentOrganization(), from, id, to];
  const next =
    (await firstRow<FileToMove>(`${filesToMove(from, NOT_ATTEMPTED)} ORDER BY f.id LIMIT 1`, values)) ??
    (await firstRow<FileToMove>(`${filesToMove(from, '')} ORDER BY (${LAST_ATTEMPT}), f.id LIMIT 1`, values));
  if (!next || !areDistinct) return next;
  // If the sweep has just claimed an earlier copy of this file in the target, the file waits until that copy is
  // removed, and the next file is taken.
  return (await recordCopy(id, next.id, to, 'arriving')) ? next : claimNextFile(id, areDistinct);
}

const ARRIVING_COPIES = `stored_file_copies c WHERE c.organization_id = $1 AND c.file_id = f.id AND c.status = 'arriving'
  AND c.storage_config_id IS NOT DISTINCT FROM $4::uuid`;
const LAST_ATTEMPT = `SELECT c.noted_at FROM ${ARRIVING_COPIES}`;
const NOT_ATTEMPTED = `AND NOT EXISTS (SELECT FROM ${ARRIVING_COPIES})`;

/**
 * SQL of the files still to move. If an earlier attempt left a copy of a file in the target, it is overwritten. If the
 * sweep has claimed that copy, the file is not selected, because the copy may be deleted at any moment.
 */
const filesToMove = (from: string | null, condition: string): string =>
  `SELECT f.id, f.size_bytes::float8 AS size_bytes, f.sha256 FROM stored_files f
    WHERE f.organization_id = $1 AND f.status IN ('held', 'kept') AND ${isStoredIn('f', from, 2)}
      AND NOT EXISTS (SELECT FROM stored_file_copies c WHERE c.organization_id = $1 AND c.file_id = f.id
                       AND ((c.status = 'missing' AND c.migration_id = $3)
                         OR (c.claimed_at IS NOT NULL AND c.storage_config_id IS NOT DISTINCT FROM $4::uuid))) ${condition}`;

/**
 * Makes the file's row refer to the new storage, once the bytes are copied and compared, and records the object that
 * remains in the old one. If the file was removed or the migration has ended in the meantime, the sweep removes the
 * copy.
 */
export async function switchFile(id: string, file: FileToMove, areDistinct = true): Promise<void> {
  const { status, from_config_id: from, to_config_id: to } = await lockMigration(id);
  const switched =
    RUNNING.has(status) &&
    (!areDistinct || (await isCopyUnclaimed(to, file.id))) &&
    (await firstRow(
      `UPDATE stored_files f SET storage_config_id = $3
        WHERE f.organization_id = $1 AND f.id = $4 AND f.status IN ('held', 'kept') AND ${isStoredIn('f', from, 2)} RETURNING f.id`,
      [currentOrganization(), from, to, file.id],
    ));
  // If the file is already in the target storage, another attempt of this step has completed the move. The copy is then
  // the file itself and must not be removed.
  if (!switched && (!areDistinct || (await isFileIn(to, file.id)))) return;
  if (!switched) {
    await recordCopy(id, file.id, to, 'removing');
    return;
  }
  await rows(
    `DELETE FROM stored_file_copies c WHERE c.organization_id = $1 AND c.file_id = $2
        AND c.storage_config_id IS NOT DISTINCT FROM $3::uuid`,
    [currentOrganization(), file.id, to],
  );
  if (areDistinct) await recordCopy(id, file.id, from, 'left');
  await changeRow(StorageMigration, id, {
    files_moved: computed('files_moved + 1'),
    bytes_moved: computed(`bytes_moved + ${Math.trunc(file.size_bytes)}`),
  });
}

/** Records that the source object is missing or differs: the file stays in the storage that its row names. */
export async function recordMissing(id: string, file: FileToMove, areDistinct = true): Promise<void> {
  const { from_config_id: from, to_config_id: to } = await lockMigration(id);
  if (!(await isFileIn(from, file.id))) return;
  if (areDistinct) await recordCopy(id, file.id, to, 'removing');
  await recordCopy(id, file.id, from, 'missing');
}

/** Reports whether a file is in a storage. */
const isFileIn = async (store: string | null, fileId: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM stored_files f WHERE f.organization_id = $1 AND f.id = $3 AND f.status IN ('held', 'kept') AND ${isStoredIn('f', store, 2)}
        FOR NO KEY UPDATE`,
    [currentOrganization(), store, fileId],
  )) !== null;

async function lockMigration(id: string): Promise<StorageMigration> {
  const migration = await lockForEditIfExists(StorageMigration, id);
  if (!migration) throw new RowMissing('The storage migration does not exist.');
  return migration;
}

type CopyStatus = 'arriving' | 'left' | 'removing' | 'missing';

/**
 * Reports whether the copy in the target storage is recorded and not claimed by the sweep; locks the record until the
 * commit.
 */
const isCopyUnclaimed = async (store: string | null, fileId: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM stored_file_copies c WHERE c.organization_id = $1 AND c.file_id = $2
        AND c.storage_config_id IS NOT DISTINCT FROM $3::uuid AND c.claimed_at IS NULL FOR UPDATE`,
    [currentOrganization(), fileId, store],
  )) !== null;

/** Records a copy. @returns false when the sweep has claimed it */
const recordCopy = async (id: string, fileId: string, store: string | null, status: CopyStatus): Promise<boolean> =>
  (await firstRow(
    `INSERT INTO stored_file_copies (organization_id, file_id, storage_config_id, migration_id, status)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT stored_file_copies_once
       DO UPDATE SET status = excluded.status, migration_id = excluded.migration_id, noted_at = now()
       WHERE stored_file_copies.claimed_at IS NULL RETURNING id`,
    [currentOrganization(), fileId, store, id, status],
  )) !== null;
