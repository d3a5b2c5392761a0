/**
 * The step that erases lines of imports that made nobody, and takes files out of their stores. Run again, it removes what the first
 * run claimed, and then the next.
 */
import { inStore } from '../../gateways/storage/inStore.js';
import { config } from '../../config.js';
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import { log } from '../../models/log.js';
import {
  type FileToRemove,
  filesToRemove,
  forgetLeftStores,
  forgetRemovedFiles,
} from '../../models/organizations/files/removeFiles.js';
import { forgetImports } from '../../models/organizations/imports/forgetImports.js';
import { keyOf } from '../../models/organizations/files/storedFiles.js';
import { PLATFORM, placeOf } from '../../models/organizations/storage-config/places.js';

/** Of each store. */
const BATCH = 100;
/** Of up to 50,000 lines each. */
const IMPORTS = 10;

/**
 * @returns whether there may be more. Rows go after the bytes, so that a crash forgets nothing. Where an organization's own store
 * fails, its files wait for the next run, and the others go on. @throws StorageUnavailable where that is the platform's
 */
export async function removeNextFiles(): Promise<boolean> {
  let mayBeMore = (await forgetImports(IMPORTS)) === IMPORTS;
  let failure: unknown = null;
  const claimed = await inPlatform(() => filesToRemove(BATCH));
  for (const [store, files] of byStore(claimed)) {
    try {
      await removeFrom(store, files);
      mayBeMore ||= files.length === BATCH;
    } catch (error) {
      if (store === null) failure = error;
      else log.warn({ err: error, storageConfigId: store }, 'files are not removed: their store cannot be reached');
    }
  }
  if (failure !== null) throw failure;
  await inPlatform(forgetLeftStores);
  return mayBeMore;
}

/** Without a store of the platform its files wait. */
function byStore(files: readonly FileToRemove[]): Map<string | null, FileToRemove[]> {
  const stores = new Map<string | null, FileToRemove[]>();
  for (const file of files) {
    const beside = stores.get(file.storage_config_id);
    if (beside) beside.push(file);
    else stores.set(file.storage_config_id, [file]);
  }
  if (!config.storage) stores.delete(null);
  return stores;
}

/** @param files at least one; those of an own store are of one organization */
async function removeFrom(store: string | null, files: readonly FileToRemove[]): Promise<void> {
  const [{ organization_id: owner }] = files as [FileToRemove];
  const place = store === null ? PLATFORM : await inTenant(owner, () => placeOf(store), { readOnly: true });
  await inStore(place.store, async (opened) => {
    for (const { organization_id, id } of files) await opened.remove(keyOf(organization_id, id, place));
  });
  await inPlatform(() => forgetRemovedFiles(files.map(({ id }) => id)));
}
