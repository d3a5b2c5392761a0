/**
 * Stores the bucket that the platform provisioned: its key is saved as soon as it is known, and the storage is
 * activated once it passes the storage test.
 */
import { createRow, editRow, lockForEditIfExists } from '../../database/model/change.js';
import { uuidv7 } from '../../database/uuid.js';
import { auditSecret, lockStoreChoice, encryptSecret } from './chooseStore.js';
import { StorageConfig } from './StorageConfig.js';

interface Store {
  endpoint: string | null;
  region: string;
  bucket: string;
  prefix: string;
}

/** Saves a provisioned storage and its key. The storage for new files does not change. */
export async function saveProvisionedStore(store: Store, key: { id: string; secret: string }): Promise<void> {
  await lockStoreChoice();
  const { endpoint, bucket, prefix, region } = store;
  const existing = await lockForEditIfExists(StorageConfig, { endpoint, bucket, prefix });
  const id = existing?.id ?? uuidv7();
  const columns = { region, access_key_id: key.id, source: 'provisioned' as const, ...encryptSecret(id, key.secret) };
  if (existing) await editRow(existing, columns);
  else {
    const provider = endpoint === null ? 'aws_s3' : 's3_compatible';
    await createRow(StorageConfig, { id, provider, endpoint, bucket, prefix, is_active: false, ...columns });
  }
  await auditSecret(id);
}

/**
 * Activates the storage for new files.
 * @returns false if the storage does not exist or no longer has the key `accessKeyId`
 */
export async function activateStore({ endpoint, bucket, prefix }: Store, accessKeyId: string): Promise<boolean> {
  await lockStoreChoice();
  const active = await lockForEditIfExists(StorageConfig, { is_active: true });
  const target = await lockForEditIfExists(StorageConfig, { endpoint, bucket, prefix });
  if (target?.access_key_id !== accessKeyId) return false;
  if (active && active.id !== target.id) await editRow(active, { is_active: false });
  await editRow(target, { is_active: true });
  return true;
}
