/** What a provisioning means to rows, step by step. Each may be run again. */
import { audit } from '../../database/audit.js';
import { changeRow, now } from '../../database/model/change.js';
import { loadIfThere, readRow, type ShownRow } from '../../database/model/read.js';
import { RowMissing } from '../../errors.js';
import { type Place, placeOf } from '../storage-config/places.js';
import { activateStore } from '../storage-config/provisionedStore.js';
import { type Failure, StorageProvisioning } from './StorageProvisioning.js';
import { readWanted } from './wanted.js';

export type Task = Awaited<ReturnType<typeof readWanted>>;

/** What is to be made, and what is on record of it; null where it is over. @throws RowMissing */
export async function readTask(id: string): Promise<Task | null> {
  const found = await loadIfThere(StorageProvisioning, id);
  if (!found) throw new RowMissing('There is no such provisioning of a store.');
  return found.status === 'running' ? readWanted() : null;
}

/** The store with what opens it; null where none is on record. */
export async function readPlace(): Promise<Place | null> {
  const { onRecord } = await readWanted();
  return onRecord && placeOf(onRecord.id);
}

/** The store takes new files from now on. @returns false where its key is another than the one that was tried */
export async function completeProvisioning(
  id: string,
  store: Parameters<typeof activateStore>[0],
  accessKeyId: string,
): Promise<boolean> {
  if (!(await activateStore(store, accessKeyId))) return false;
  await end(id, { status: 'completed' });
  return true;
}

/** What was made at the provider stays there. */
export const failProvisioning = (id: string, failure: Failure): Promise<void> =>
  end(id, { status: 'failed', ...failure });

/** The same, for whoever cancels its process. */
export const stopProvisioning = (id: string): Promise<void> => end(id, { status: 'cancelled' });

/** Of two ends the first one holds. */
async function end(
  id: string,
  fields: { status: 'completed' | 'cancelled' } | ({ status: 'failed' } & Failure),
): Promise<void> {
  const ended = await changeRow(StorageProvisioning, { id, status: 'running' }, { ...fields, ended_at: now });
  const subject = { subjectType: 'storage_provisioning', subjectId: id };
  if (ended) await audit({ action: `storage_provisioning.${fields.status}`, ...subject, after: { ...fields } });
}

/** @throws Refusal not_found */
export const readProvisioning = (id: string): Promise<ShownRow<typeof StorageProvisioning>> =>
  readRow(StorageProvisioning, id);
