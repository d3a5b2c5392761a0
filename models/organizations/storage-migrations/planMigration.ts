/** What a move would do, and its beginning. */
import { storageMigration } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, createRow, lockRow } from '../../database/model/change.js';
import { loadIfThere, readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { audit } from '../../database/audit.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { found, invalid } from '../../errors.js';
import { fileErrors } from '../files/errors.js';
import { StorageConfig } from '../storage-config/StorageConfig.js';
import { lies } from './moveFile.js';
import { StorageMigration } from './StorageMigration.js';

type Shown = ShownRow<typeof StorageMigration>;

/** Stores by their ids; null: the platform's. */
export interface Way {
  from: string | null;
  to: string | null;
}

export interface MigrationPlan {
  from_store: string;
  to_store: string;
  files: number;
  bytes: number;
}

/** Changes nothing. @throws Refusal not_found, validation_error, store_not_active */
export async function planMigration({ from, to }: Way): Promise<MigrationPlan> {
  if (from === to) throw invalid('to', 'Must be another store.');
  const [source, target] = [await storeCalled(from), await storeCalled(to)];
  const active = await loadIfThere(StorageConfig, { is_active: true });
  if ((active?.id ?? null) !== to) throw fileErrors.store_not_active();
  const counted = await oneRow<{ files: number; bytes: string }>(
    `SELECT count(*)::int AS files, coalesce(sum(f.size_bytes), 0) AS bytes FROM stored_files f
      WHERE f.organization_id = $1 AND f.status IN ('held', 'kept') AND ${lies('f', from, 2)}`,
    [currentOrganization(), from],
  );
  return { from_store: source, to_store: target, files: counted.files, bytes: Number(counted.bytes) };
}

/** @throws Refusal as above, storage_migration_running */
export async function startMigration(way: Way): Promise<Shown> {
  const { files, bytes, ...stores } = await planMigration(way);
  const { id } = await createRow(StorageMigration, {
    from_config_id: way.from,
    to_config_id: way.to,
    ...stores,
    files_total: files,
    bytes_total: bytes,
    requested_by: currentScope().origin.userId,
  });
  await enqueue(storageMigration, { migrationId: id });
  return readRow(StorageMigration, id);
}

/** Goes on where it stopped, with what was missing too. @throws Refusal not_found, storage_migration_not_ended, store_forgotten, store_not_active */
export async function retryMigration(id: string): Promise<Shown> {
  const migration = await lockRow(StorageMigration, id);
  const { status, from_config_id: from, to_config_id: to, purged_at } = migration;
  if (status === 'completed' || purged_at !== null || !ENDED.has(status))
    throw fileErrors.storage_migration_not_ended();
  // A store that was forgotten since has no id any more: it is not the platform's for that.
  if (isForgotten(from, migration.from_store) || isForgotten(to, migration.to_store))
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

const isForgotten = (id: string | null, name: string): boolean => id === null && name !== PLATFORM_STORE;

/** @throws Refusal not_found */
async function storeCalled(id: string | null): Promise<string> {
  if (id === null) return PLATFORM_STORE;
  const { endpoint, bucket, prefix } = found(await loadIfThere(StorageConfig, id));
  return `${endpoint ?? 'aws'}/${bucket}/${prefix}`;
}
