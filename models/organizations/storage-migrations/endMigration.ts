/** Ends migrations of files. */
import { audit } from '../../database/audit.js';
import { changeRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { requireFound, RowMissing } from '../../errors.js';
import { holdsRight, STOPPED_RIGHT_LOST } from '../holdsRight.js';
import { fileErrors } from '../files/errors.js';
import { isStoredIn } from './moveFile.js';
import { type MigrationStatus, StorageMigration } from './StorageMigration.js';

const RUNNING = new Set<MigrationStatus>(['planned', 'copying', 'verifying']);

/** The reason why a migration cannot end yet. */
export type MigrationWait = 'waiting_for_uploads' | 'waiting_for_removal';

/**
 * Checks whether all files have been moved.
 * @returns how the migration ended, or what it still waits for; null if new files have appeared in the source storage
 * and have to be moved next.
 * @throws RowMissing
 */
export async function settleMigration(id: string): Promise<MigrationStatus | MigrationWait | null> {
  const migration = await lockForEditIfExists(StorageMigration, id);
  if (!migration) throw new RowMissing('The storage migration does not exist.');
  const { status, from_config_id: from, to_config_id: to } = migration;
  if (!RUNNING.has(status)) return status;
  const { rest, missing, uploading, removing } = await oneRow<Counts>(
    `WITH missing AS (SELECT file_id FROM stored_file_copies
                       WHERE organization_id = $1 AND migration_id = $3 AND status = 'missing')
     SELECT (SELECT count(*)::int FROM missing) AS missing,
            count(*) FILTER (WHERE f.id NOT IN (SELECT file_id FROM missing))::int AS rest,
            count(*) FILTER (WHERE f.status = 'uploading')::int AS uploading,
            count(*) FILTER (WHERE EXISTS (SELECT FROM stored_file_copies c WHERE c.organization_id = $1 AND c.file_id = f.id
              AND c.storage_config_id IS NOT DISTINCT FROM $4::uuid AND c.claimed_at IS NOT NULL))::int AS removing
       FROM stored_files f
      WHERE f.organization_id = $1 AND f.status IN ('kept', 'held', 'uploading') AND ${isStoredIn('f', from, 2)}`,
    [currentOrganization(), from, id, to],
  );
  if (rest > 0) {
    await changeRow(StorageMigration, id, { status: 'verifying' });
    if (removing > 0) return 'waiting_for_removal';
    return uploading > 0 ? 'waiting_for_uploads' : null;
  }
  return end(id, missing > 0 ? 'completed_with_missing' : 'completed');
}

interface Counts {
  /** Number of files that are still in the source storage, not counting those whose object is missing. */
  rest: number;
  missing: number;
  /** Uploads to the source storage that have not finished. */
  uploading: number;
  /** Files whose earlier copy in the target storage is being deleted by the sweep. */
  removing: number;
}

/**
 * Ends a migration as failed, when a storage has been unreachable for long; an admin can retry it. Repeating it changes
 * nothing.
 */
export async function failMigration(id: string): Promise<void> {
  const migration = await lockForEditIfExists(StorageMigration, id);
  if (migration && RUNNING.has(migration.status)) await end(id, 'failed');
}

/** Cancels a migration; each file stays in the storage that its row names. Repeating it changes nothing. */
export async function stopMigration(id: string): Promise<void> {
  const migration = await lockForEditIfExists(StorageMigration, id);
  if (!migration || !RUNNING.has(migration.status)) return;
  await end(id, 'cancelled');
}

/**
 * Ends a migration because the user who confirmed it no longer has the right to do so. Each file stays in the storage
 * that its row names. Another administrator of the platform may retry the migration.
 * @returns whether the migration was ended
 */
export async function stopWithoutRight(id: string): Promise<boolean> {
  const migration = await lockForEditIfExists(StorageMigration, id);
  if (!migration || !RUNNING.has(migration.status)) return false;
  // Only administrators of the platform migrate files.
  if (await holdsRight({ userId: migration.requested_by, authority: 'organization', organizationId: null }))
    return false;
  await end(id, STOPPED_RIGHT_LOST);
  return true;
}

/** Cancels a migration for an admin. @throws Refusal not_found, storage_migration_ended */
export async function cancelMigration(id: string): Promise<ShownRow<typeof StorageMigration>> {
  const { status } = requireFound(await lockForEditIfExists(StorageMigration, id));
  if (!RUNNING.has(status)) throw fileErrors.storage_migration_ended();
  await stopMigration(id);
  return readRow(StorageMigration, id);
}

/** Ends a migration. The sweep removes copies that were still being written. */
async function end(id: string, status: MigrationStatus): Promise<MigrationStatus> {
  await rows(
    `UPDATE stored_file_copies SET status = 'removing', noted_at = now()
      WHERE organization_id = $1 AND migration_id = $2 AND status = 'arriving'`,
    [currentOrganization(), id],
  );
  await changeRow(StorageMigration, id, { status, ended_at: now });
  await audit({ action: `storage_migration.${status}`, subjectType: 'storage_migration', subjectId: id });
  return status;
}
