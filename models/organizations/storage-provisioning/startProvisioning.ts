import { storageProvisioning } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { createRow } from '../../database/model/change.js';
import { loadIfThere, readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { holdStores, requireRoom } from '../storage-config/chooseStore.js';
import { StorageProvisioning } from './StorageProvisioning.js';
import { readWanted } from './wanted.js';

/** Has a store made. Who asks while that is under way joins it. @throws Refusal storage_provisioning_off, too_many_stores */
export async function startProvisioning(): Promise<ShownRow<typeof StorageProvisioning>> {
  await holdStores();
  const { onRecord } = await readWanted();
  const running = await loadIfThere(StorageProvisioning, { status: 'running' });
  if (running) return readRow(StorageProvisioning, running.id);
  if (!onRecord) await requireRoom();
  const { number } = await oneRow<{ number: number }>(
    'SELECT 1 + coalesce(max(number), 0)::int AS number FROM storage_provisionings WHERE organization_id = $1',
    [currentOrganization()],
  );
  const { id } = await createRow(StorageProvisioning, { number, requested_by: currentScope().origin.userId });
  await enqueue(storageProvisioning, { provisioningId: id, number: String(number) });
  return readRow(StorageProvisioning, id);
}
