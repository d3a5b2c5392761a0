/**
 * Erases import lines that created nobody and applications that were abandoned, and removes files from their stores.
 * A second run removes what the first claimed, and then the next.
 */
import { inStore } from '../../gateways/storage/inStore.js';
import { config } from '../../config.js';
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import { log } from '../../models/log.js';
import { aboveOrganizations } from '../../models/organizations/above.js';
import {
  copiesToRemove,
  filesToRemove,
  forgetLeftStores,
  forgetRemovedCopies,
  forgetRemovedFiles,
} from '../../models/organizations/files/removeFiles.js';
import { forgetImports } from '../../models/organizations/imports/forgetImports.js';
import { keyOf } from '../../models/organizations/files/storedFiles.js';
import { PLATFORM, placeOf } from '../../models/organizations/storage-config/places.js';

/** Objects per store. */
const BATCH = 100;
/**
 * Time limit for a batch of an organization's own store: a slow store keeps the rest for the next run and delays no
 * other.
 */
const LONGEST_MS = 30_000;
const STORES_AT_ONCE = 10;
/** Imports per run, of up to 50,000 lines each. */
const IMPORTS = 10;

/** An object and the row that is deleted after it. */
interface ToRemove {
  organization_id: string;
  id: string;
  storage_config_id: string | null;
  file_id?: string;
}

/**
 * @returns whether there may be more. Rows are deleted after the bytes, so that a crash loses track of nothing. If an
 * organization's own store fails, its files wait for the next run and the others continue. @throws StorageUnavailable
 * if the platform's store fails
 */
export async function removeNextFiles(): Promise<boolean> {
  const isMoreToErase = [
    (await forgetImports(IMPORTS)) === IMPORTS,
    await aboveOrganizations().forgetUnproven(BATCH),
  ].includes(true);
  const files = await removeAll(await inPlatform(() => filesToRemove(BATCH)), forgetRemovedFiles);
  const copies = await removeAll(await inPlatform(() => copiesToRemove(BATCH)), forgetRemovedCopies);
  const failure = files.failure ?? copies.failure;
  if (failure !== null) throw failure;
  await inPlatform(forgetLeftStores);
  return isMoreToErase || files.mayBeMore || copies.mayBeMore;
}

type Forget = (ids: readonly string[]) => Promise<unknown>;

async function removeAll(claimed: readonly ToRemove[], forget: Forget) {
  const stores = [...byStore(claimed)];
  const cleared: Cleared[] = [];
  for (let at = 0; at < stores.length; at += STORES_AT_ONCE) {
    const beside = stores.slice(at, at + STORES_AT_ONCE);
    cleared.push(...(await Promise.all(beside.map(([store, objects]) => clear(store, objects, forget)))));
  }
  return {
    mayBeMore: cleared.some(({ mayBeMore }) => mayBeMore),
    failure: cleared.find(({ failure }) => failure !== null)?.failure ?? null,
  };
}

interface Cleared {
  mayBeMore: boolean;
  /** Failure of the platform's store. */
  failure: unknown;
}

async function clear(store: string | null, objects: readonly ToRemove[], forget: Forget): Promise<Cleared> {
  const removed: string[] = [];
  try {
    await removeFrom(store, objects, removed);
    return { mayBeMore: removed.length === BATCH, failure: null };
  } catch (error) {
    if (store === null) return { mayBeMore: false, failure: error };
    log.warn({ err: error, storageConfigId: store }, 'files are not removed: their store cannot be reached');
    return { mayBeMore: false, failure: null };
  } finally {
    if (removed.length > 0) await inPlatform(() => forget(removed));
  }
}

/** While the platform has no store, its files wait. */
function byStore(objects: readonly ToRemove[]): Map<string | null, ToRemove[]> {
  const stores = new Map<string | null, ToRemove[]>();
  for (const object of objects) {
    const beside = stores.get(object.storage_config_id);
    if (beside) beside.push(object);
    else stores.set(object.storage_config_id, [object]);
  }
  if (!config.storage) stores.delete(null);
  return stores;
}

/**
 * @param objects at least one; objects of an own store belong to one organization @param removed receives each id as
 * it is removed
 */
async function removeFrom(store: string | null, objects: readonly ToRemove[], removed: string[]): Promise<void> {
  const [{ organization_id: owner }] = objects as [ToRemove];
  const place = store === null ? PLATFORM : await inTenant(owner, () => placeOf(store), { readOnly: true });
  const until = store === null ? Number.POSITIVE_INFINITY : Date.now() + LONGEST_MS;
  await inStore(place.store, async (opened) => {
    for (const { organization_id, id, file_id = id } of objects) {
      if (Date.now() > until) return;
      await opened.remove(keyOf(organization_id, file_id, place));
      removed.push(id);
    }
  });
}
