/** Plans, starts and retries migrations of files. */
import { storageMigration } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, createRow, lockForEdit } from '../../database/model/change.js';
import { loadIfExists, readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { audit } from '../../database/audit.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { requireFound, invalid } from '../../errors.js';
import { fileErrors } from '../files/errors.js';
import { StorageConfig } from '../storage-config/StorageConfig.js';
import { isStoredIn } from './moveFile.js';
import { StorageMigration } from './StorageMigration.js';

type ShownMigration = ShownRow<typeof StorageMigration>;

/** Source and target storage by id; null: the platform's. */
export interface MigrationRoute {
  from: string | null;
  to: string | null;
}

export interface MigrationPlan {
  from_store: string;
  to_store: string;
  files: number;
  bytes: number;
}

/**
 * Returns the number and size of the files that a migration would move; changes nothing. @throws Refusal not_found,
 * validation_error, store_not_active
 */
export async function planMigration({ from, to }: MigrationRoute): Promise<MigrationPlan> {
  if (from === to) throw invalid('to', 'Must be another storage than the one in `from`.');
  const [source, target] = [await describeStore(from), await describeStore(to)];
  const active = await loadIfExists(StorageConfig, { is_active: true });
  if ((active?.id ?? null) !== to) throw fileErrors.store_not_active();
  const counted = await oneRow<{ files: number; bytes: string }>(
    `SELECT count(*)::int AS files, coalesce(sum(f.size_bytes), 0) AS bytes FROM stored_files f
      WHERE f.organization_id = $1 AND f.status IN ('held', 'kept') AND ${isStoredIn('f', from, 2)}`,
    [currentOrganization(), from],
  );
  return { from_store: source, to_store: target, files: counted.files, bytes: Number(counted.bytes) };
}

/** Starts a migration. @throws Refusal as `planMigration`; storage_migration_running */
export async function startMigration(route: MigrationRoute): Promise<ShownMigration> {
  const { files, bytes, ...stores } = await planMigration(route);
  const { id } = await createRow(StorageMigration, {
    from_config_id: route.from,
    to_config_id: route.to,
    ...stores,
    files_total: files,
    bytes_total: bytes,
    requested_by: currentScope().origin.userId,
  });
  await enqueue(storageMigration, { migrationId: id });
  return readRow(StorageMigration, id);
}

/**
 * Continues a migration where it stopped, and tries files again whose object was missing.
 * @throws Refusal not_found, storage_migration_not_ended, store_forgotten, store_not_active
 */
export async function retryMigration(id: string): Promise<ShownMigration> {
  const migration = await lockForEdit(StorageMigration, id);
  const { status, from_config_id: from, to_config_id: to, purged_at } = migration;
  if (status === 'completed' || purged_at !== null || !ENDED.has(status))
    throw fileErrors.storage_migration_not_ended();
  // A deleted storage configuration leaves a null id, which must not be taken for the platform's storage.
  if (isDeletedStore(from, migration.from_store) || isDeletedStore(to, migration.to_store))
    throw fileErrors.store_forgotten();
  await planMigration({ from, to });
  await rows(`DELETE FROM stored_file_copies WHERE organization_id = $1 AND migration_id = $2 AND status = 'missing'`, [
    currentOrganization(),
    id,
  ]);
  await changeRow(StorageMigration, id, {
    status: 'planned',
    ended_at: null,
    requested_by: currentScope().origin.userId,
  });
  await audit({ action: 'storage_migration.retried', subjectType: 'storage_migration', subjectId: id });
  await enqueue(storageMigration, { migrationId: id });
  return readRow(StorageMigration, id);
}

const ENDED = new Set(['completed_with_missing', 'failed', 'cancelled', 'stopped_right_lost']);

const PLATFORM_STORE = 'platform';

const isDeletedStore = (id: string | null, name: string): boolean => id === null && name !== PLATFORM_STORE;

/** Returns the name of a storage for display. @throws Refusal not_found */
async function describeStore(id: string | null): Promise<string> {
  if (id === null) return PLATFORM_STORE;
  const { endpoint, bucket, prefix } = requireFound(await loadIfExists(StorageConfig, id));
  return `${endpoint ?? 'aws'}/${bucket}/${prefix}`;
}
