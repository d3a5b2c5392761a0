/** Database steps of a provisioning. Each can be repeated. */
import { audit } from '../../database/audit.js';
import { changeRow, now } from '../../database/model/change.js';
import { loadIfExists, readRow, type ShownRow } from '../../database/model/read.js';
import { RowMissing } from '../../errors.js';
import { type StorageLocation, readLocation } from '../storage-config/storageLocations.js';
import { activateStore } from '../storage-config/provisionedStore.js';
import { type ProvisioningFailure, StorageProvisioning } from './StorageProvisioning.js';
import { readBucketPlan } from './bucketPlan.js';

export type ProvisioningTask = Awaited<ReturnType<typeof readBucketPlan>>;

/**
 * Returns the bucket to provision and the existing storage, if any; null if the provisioning has ended. @throws
 * RowMissing
 */
export async function readTask(id: string): Promise<ProvisioningTask | null> {
  const provisioning = await loadIfExists(StorageProvisioning, id);
  if (!provisioning) throw new RowMissing('The storage provisioning does not exist.');
  return provisioning.status === 'running' ? readBucketPlan() : null;
}

/** Returns the provisioned storage with its credentials; null if there is none yet. */
export async function readProvisionedLocation(): Promise<StorageLocation | null> {
  const { existing } = await readBucketPlan();
  return existing && readLocation(existing.id);
}

/** Activates the storage for new files. @returns false if its key is not the one that was tested */
export async function completeProvisioning(
  id: string,
  store: Parameters<typeof activateStore>[0],
  accessKeyId: string,
): Promise<boolean> {
  if (!(await activateStore(store, accessKeyId))) return false;
  await end(id, { status: 'completed' });
  return true;
}

/** Ends a provisioning as failed. Resources that were created at the provider stay there. */
export const failProvisioning = (id: string, failure: ProvisioningFailure): Promise<void> =>
  end(id, { status: 'failed', ...failure });

/** Cancels a provisioning, for an operator who ends its workflow. */
export const stopProvisioning = (id: string): Promise<void> => end(id, { status: 'cancelled' });

/** Ends a running provisioning; if two calls end it, the first one takes effect. */
async function end(
  id: string,
  fields: { status: 'completed' | 'cancelled' } | ({ status: 'failed' } & ProvisioningFailure),
): Promise<void> {
  const ended = await changeRow(StorageProvisioning, { id, status: 'running' }, { ...fields, ended_at: now });
  const subject = { subjectType: 'storage_provisioning', subjectId: id };
  if (ended) await audit({ action: `storage_provisioning.${fields.status}`, ...subject, after: { ...fields } });
}

/**
 * Reads a provisioning.
 * @throws Refusal not_found
 */
export const readProvisioning = (id: string): Promise<ShownRow<typeof StorageProvisioning>> =>
  readRow(StorageProvisioning, id);
