/**
 * The step that erases lines of imports that made nobody and applications that nobody went on with, and takes files out
 * of their stores. Run again, it removes what the first run claimed, and then the next.
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

/** Of each store. */
const BATCH = 100;
/** For a batch of an own store: one that takes longer keeps the rest for the next run, and holds up no other. */
const LONGEST_MS = 30_000;
const STORES_AT_ONCE = 10;
/** Of up to 50,000 lines each. */
const IMPORTS = 10;

/** An object, and the row that goes after it. */
interface ToRemove {
  organization_id: string;
  id: string;
  storage_config_id: string | null;
  file_id?: string;
}

/**
 * @returns whether there may be more. Rows go after the bytes, so that a crash forgets nothing. Where an organization's own store
 * fails, its files wait for the next run, and the others go on. @throws StorageUnavailable where that is the platform's
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
  /** Of the platform's store. */
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

/** Without a store of the platform its files wait. */
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

/** @param objects at least one; those of an own store are of one organization @param removed what is gone, as it goes */
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
