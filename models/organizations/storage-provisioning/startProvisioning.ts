import { storageProvisioning } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { createRow } from '../../database/model/change.js';
import { loadIfExists, readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { lockStoreChoice, requireStoreLimit } from '../storage-config/chooseStore.js';
import { StorageProvisioning } from './StorageProvisioning.js';
import { readBucketPlan } from './bucketPlan.js';

/**
 * Starts to provision a bucket, or returns the provisioning that is running. @throws Refusal storage_provisioning_off,
 * too_many_stores
 */
export async function startProvisioning(): Promise<ShownRow<typeof StorageProvisioning>> {
  await lockStoreChoice();
  const { existing } = await readBucketPlan();
  const running = await loadIfExists(StorageProvisioning, { status: 'running' });
  if (running) return readRow(StorageProvisioning, running.id);
  if (!existing) await requireStoreLimit();
  const { number } = await oneRow<{ number: number }>(
    'SELECT 1 + coalesce(max(number), 0)::int AS number FROM storage_provisionings WHERE organization_id = $1',
    [currentOrganization()],
  );
  const { id } = await createRow(StorageProvisioning, { number, requested_by: currentScope().origin.userId });
  await enqueue(storageProvisioning, { provisioningId: id, number: String(number) });
  return readRow(StorageProvisioning, id);
}
