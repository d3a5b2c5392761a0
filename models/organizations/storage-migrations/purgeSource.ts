/**
 * Deletes the objects that moved files have left in the source storage. Two storage configurations may name the same
 * bucket and prefix; the object is then the file itself, so it is kept.
 */
import { audit } from '../../database/audit.js';
import { changeRow, lockForEdit, now } from '../../database/model/change.js';
import { loadRow, readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { NIL } from '../../database/uuid.js';
import { fileErrors } from '../files/errors.js';
import { type StorageLocation, readLocation } from '../storage-config/storageLocations.js';
import { StorageMigration } from './StorageMigration.js';

export interface PurgeSources {
  /** The storage that the files have left and that is to be purged. */
  source: StorageLocation;
  /** The storages in which those files are now. */
  current: { store: string | null; location: StorageLocation }[];
}

/**
 * Returns the storage to purge, and the storages that now hold the files which were moved out of it.
 * @throws Refusal not_found, storage_not_purgeable
 */
export async function readSources(id: string): Promise<PurgeSources> {
  await requirePurgeable(id);
  const { from_config_id } = await loadRow(StorageMigration, id);
  const stores = await rows<{ store: string | null }>(
    `SELECT DISTINCT f.storage_config_id AS store FROM stored_file_copies c
       JOIN stored_files f ON f.organization_id = $1 AND f.id = c.file_id AND f.status <> 'removing'
      WHERE c.organization_id = $1 AND c.migration_id = $2 AND c.status = 'left'`,
    [currentOrganization(), id],
  );
  const current: PurgeSources['current'] = [];
  for (const { store } of stores) current.push({ store, location: await readLocation(store) });
  return { source: await readLocation(from_config_id), current };
}

/** Divides storages, by id, into those with the same bucket and prefix as the source and those with a different one. */
export interface SourceComparison {
  same: (string | null)[];
  different: (string | null)[];
}

/**
 * Marks the objects that files have left in the source storage, so that the sweep removes them. If a file is now in one
 * of the `same` storages, the object is the file itself and stays. If a file has since been moved to a storage that the
 * caller did not compare with the source, its object stays until a later purge.
 * @throws Refusal not_found, storage_not_purgeable
 */
export async function purgeSource(
  id: string,
  { same, different }: SourceComparison,
): Promise<ShownRow<typeof StorageMigration>> {
  await lockForEdit(StorageMigration, id);
  await requirePurgeable(id);
  const parametersWith = (stores: (string | null)[]) => [
    currentOrganization(),
    id,
    NIL,
    stores.map((store) => store ?? NIL),
  ];
  await rows(
    `DELETE FROM stored_file_copies c WHERE ${LEFT_COPIES} AND EXISTS (${FILE_OF_COPY} AND coalesce(f.storage_config_id, $3) = ANY ($4))`,
    parametersWith(same),
  );
  await rows(
    `UPDATE stored_file_copies u SET status = 'removing', noted_at = now() WHERE u.organization_id = $1 AND u.id IN (
       SELECT c.id FROM stored_file_copies c WHERE ${LEFT_COPIES} AND NOT EXISTS (${FILE_OF_COPY} AND coalesce(f.storage_config_id, $3) <> ALL ($4)))`,
    parametersWith(different),
  );
  await changeRow(StorageMigration, id, { purged_at: now });
  await audit({ action: 'storage_migration.purged', subjectType: 'storage_migration', subjectId: id });
  return readRow(StorageMigration, id);
}

const LEFT_COPIES = `c.organization_id = $1 AND c.migration_id = $2 AND c.status = 'left'`;
const FILE_OF_COPY = `SELECT FROM stored_files f WHERE f.organization_id = $1 AND f.id = c.file_id AND f.status <> 'removing'`;

async function requirePurgeable(id: string): Promise<void> {
  await loadRow(StorageMigration, id);
  const { open } = await oneRow<{ open: boolean }>(
    `SELECT status IN ('completed', 'completed_with_missing') AND ended_at < now() - interval '7 days' AS open
       FROM storage_migrations WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), id],
  );
  if (!open) throw fileErrors.storage_not_purgeable();
}
