/** What files have left behind is given up, each of which was compared; never what is the file itself. */
import { audit } from '../../database/audit.js';
import { changeRow, lockRow, now } from '../../database/model/change.js';
import { loadRow, readRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { NIL } from '../../database/uuid.js';
import { fileErrors } from '../files/errors.js';
import { type Place, placeOf } from '../storage-config/places.js';
import { StorageMigration } from './StorageMigration.js';

export interface Sources {
  /** Where files have left something. */
  left: Place;
  /** Where those files lie by now. */
  lie: { store: string | null; place: Place }[];
}

/** @throws Refusal not_found, storage_not_purgeable */
export async function readSources(id: string): Promise<Sources> {
  await requirePurgeable(id);
  const { from_config_id } = await loadRow(StorageMigration, id);
  const stores = await rows<{ store: string | null }>(
    `SELECT DISTINCT f.storage_config_id AS store FROM stored_file_copies c
       JOIN stored_files f ON f.organization_id = $1 AND f.id = c.file_id AND f.status <> 'removing'
      WHERE c.organization_id = $1 AND c.migration_id = $2 AND c.status = 'left'`,
    [currentOrganization(), id],
  );
  const lie: Sources['lie'] = [];
  for (const { store } of stores) lie.push({ store, place: await placeOf(store) });
  return { left: await placeOf(from_config_id), lie };
}

/** Of the stores in which files lie: those that are the same place as the one that they left, and those that are not. */
export interface Told {
  one: (string | null)[];
  apart: (string | null)[];
}

/** The sweep takes it. What came to lie elsewhere meanwhile waits for another time. @throws Refusal not_found, storage_not_purgeable */
export async function purgeSource(id: string, { one, apart }: Told): Promise<ShownRow<typeof StorageMigration>> {
  await lockRow(StorageMigration, id);
  await requirePurgeable(id);
  const among = (stores: (string | null)[]) => [currentOrganization(), id, NIL, stores.map((store) => store ?? NIL)];
  await rows(
    `DELETE FROM stored_file_copies c WHERE ${LEFT} AND EXISTS (${FILE} AND coalesce(f.storage_config_id, $3) = ANY ($4))`,
    among(one),
  );
  await rows(
    `UPDATE stored_file_copies u SET status = 'removing', noted_at = now() WHERE u.organization_id = $1 AND u.id IN (
       SELECT c.id FROM stored_file_copies c WHERE ${LEFT} AND NOT EXISTS (${FILE} AND coalesce(f.storage_config_id, $3) <> ALL ($4)))`,
    among(apart),
  );
  await changeRow(StorageMigration, id, { purged_at: now });
  await audit({ action: 'storage_migration.purged', subjectType: 'storage_migration', subjectId: id });
  return readRow(StorageMigration, id);
}

const LEFT = `c.organization_id = $1 AND c.migration_id = $2 AND c.status = 'left'`;
const FILE = `SELECT FROM stored_files f WHERE f.organization_id = $1 AND f.id = c.file_id AND f.status <> 'removing'`;

async function requirePurgeable(id: string): Promise<void> {
  await loadRow(StorageMigration, id);
  const { open } = await oneRow<{ open: boolean }>(
    `SELECT status IN ('completed', 'completed_with_missing') AND ended_at < now() - interval '7 days' AS open
       FROM storage_migrations WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), id],
  );
  if (!open) throw fileErrors.storage_not_purgeable();
}
