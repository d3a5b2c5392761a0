/**
 * Cleans up old rows and files: deletes import lines that created no person, abandoned applications, expired links and
 * sessions of donors, texts of forums that were deleted, and files from their storage. A second run finishes what the
 * first run had claimed, and then takes the next batch.
 */
import { withStore } from '../../gateways/storage/withStore.js';
import { config } from '../../config.js';
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import { log } from '../../models/log.js';
import { organizationsUpstream } from '../../models/organizations/upstream.js';
import {
  claimCopiesToRemove,
  claimFilesToRemove,
  deleteAbandonedStores,
  deleteRemovedCopies,
  deleteRemovedFiles,
} from '../../models/organizations/files/removeFiles.js';
import { eraseStaleImports } from '../../models/organizations/imports/eraseStaleImports.js';
import { objectKey } from '../../models/organizations/files/storedFiles.js';
import { PLATFORM_STORAGE, readLocation } from '../../models/organizations/storage-config/storageLocations.js';

/** Maximum number of objects per store and run. */
const BATCH_SIZE = 100;
/**
 * Time limit in milliseconds for a batch of an organization's own store. A slow store leaves its remaining files to the
 * next run and delays no other store.
 */
const MAX_BATCH_MS = 30_000;
const STORE_CONCURRENCY = 10;
/** Maximum number of imports whose lines are erased in one run. Each import has up to 50,000 lines. */
const MAX_IMPORTS = 10;

/** An object to delete, and the row that is deleted after it. */
interface RemovableObject {
  organization_id: string;
  id: string;
  storage_config_id: string | null;
  file_id?: string;
}

/**
 * Deletes the next batch. Rows are deleted after the bytes, so that a crash never leaves an object without a row. If an
 * organization's own store fails, its files wait for the next run and the other stores continue.
 * @returns whether there may be more
 * @throws StorageUnavailable if the platform's store fails
 */
export async function removeNextFiles(): Promise<boolean> {
  const hasMoreRows = [
    (await eraseStaleImports(MAX_IMPORTS)) === MAX_IMPORTS,
    await organizationsUpstream().forgetUnproven(BATCH_SIZE),
    await organizationsUpstream().removeExpiredDonorAccess(BATCH_SIZE),
    await organizationsUpstream().eraseDeletedTexts(BATCH_SIZE),
  ].includes(true);
  const files = await removeAll(await inPlatform(() => claimFilesToRemove(BATCH_SIZE)), deleteRemovedFiles);
  const copies = await removeAll(await inPlatform(() => claimCopiesToRemove(BATCH_SIZE)), deleteRemovedCopies);
  const failure = files.failure ?? copies.failure;
  if (failure !== null) throw failure;
  await inPlatform(deleteAbandonedStores);
  return hasMoreRows || files.mayBeMore || copies.mayBeMore;
}

type DeleteRows = (ids: readonly string[]) => Promise<unknown>;

async function removeAll(claimed: readonly RemovableObject[], deleteRows: DeleteRows) {
  const stores = [...byStore(claimed)];
  const results: ClearResult[] = [];
  for (let start = 0; start < stores.length; start += STORE_CONCURRENCY) {
    const batch = stores.slice(start, start + STORE_CONCURRENCY);
    results.push(...(await Promise.all(batch.map(([store, objects]) => clearStore(store, objects, deleteRows)))));
  }
  return {
    mayBeMore: results.some(({ mayBeMore }) => mayBeMore),
    failure: results.find(({ failure }) => failure !== null)?.failure ?? null,
  };
}

interface ClearResult {
  mayBeMore: boolean;
  /** Failure of the platform's store. */
  failure: unknown;
}

async function clearStore(
  store: string | null,
  objects: readonly RemovableObject[],
  deleteRows: DeleteRows,
): Promise<ClearResult> {
  const removed: string[] = [];
  try {
    await removeFrom(store, objects, removed);
    return { mayBeMore: removed.length === BATCH_SIZE, failure: null };
  } catch (error) {
    if (store === null) return { mayBeMore: false, failure: error };
    log.warn({ err: error, storageConfigId: store }, 'could not delete files: their store cannot be reached');
    return { mayBeMore: false, failure: null };
  } finally {
    if (removed.length > 0) await inPlatform(() => deleteRows(removed));
  }
}

/** Groups objects by store. Objects of the platform's store are left out while the platform has no store configured. */
function byStore(objects: readonly RemovableObject[]): Map<string | null, RemovableObject[]> {
  const stores = new Map<string | null, RemovableObject[]>();
  for (const object of objects) {
    const sameStore = stores.get(object.storage_config_id);
    if (sameStore) sameStore.push(object);
    else stores.set(object.storage_config_id, [object]);
  }
  if (!config.storage) stores.delete(null);
  return stores;
}

/**
 * Deletes objects from one store.
 * @param objects at least one; objects of an organization's own store belong to one organization
 * @param removed receives each id as it is removed
 */
async function removeFrom(store: string | null, objects: readonly RemovableObject[], removed: string[]): Promise<void> {
  const [{ organization_id: owner }] = objects as [RemovableObject];
  const place =
    store === null ? PLATFORM_STORAGE : await inTenant(owner, () => readLocation(store), { readOnly: true });
  const until = store === null ? Number.POSITIVE_INFINITY : Date.now() + MAX_BATCH_MS;
  await withStore(place.store, async (opened) => {
    for (const { organization_id, id, file_id = id } of objects) {
      if (Date.now() > until) return;
      await opened.remove(objectKey(organization_id, file_id, place));
      removed.push(id);
    }
  });
}
