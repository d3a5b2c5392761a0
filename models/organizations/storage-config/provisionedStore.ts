/** The store that the platform has made: its key is kept as soon as it is told, and it takes files once it does what it should. */
import { createRow, editRow, lockIfThere } from '../../database/model/change.js';
import { uuidv7 } from '../../database/uuid.js';
import { auditSecret, holdStores, sealedFor } from './chooseStore.js';
import { StorageConfig } from './StorageConfig.js';

interface Store {
  endpoint: string | null;
  region: string;
  bucket: string;
  prefix: string;
}

/** New files go where they went. */
export async function keepStore(store: Store, key: { id: string; secret: string }): Promise<void> {
  await holdStores();
  const { endpoint, bucket, prefix, region } = store;
  const there = await lockIfThere(StorageConfig, { endpoint, bucket, prefix });
  const id = there?.id ?? uuidv7();
  const facts = { region, access_key_id: key.id, source: 'provisioned' as const, ...sealedFor(id, key.secret) };
  if (there) await editRow(there, facts);
  else {
    const provider = endpoint === null ? 'aws_s3' : 's3_compatible';
    await createRow(StorageConfig, { id, provider, endpoint, bucket, prefix, is_active: false, ...facts });
  }
  await auditSecret(id);
}

/** New files go there. @returns false where it has not this key */
export async function activateStore({ endpoint, bucket, prefix }: Store, accessKeyId: string): Promise<boolean> {
  await holdStores();
  const active = await lockIfThere(StorageConfig, { is_active: true });
  const there = await lockIfThere(StorageConfig, { endpoint, bucket, prefix });
  if (there?.access_key_id !== accessKeyId) return false;
  if (active && active.id !== there.id) await editRow(active, { is_active: false });
  await editRow(there, { is_active: true });
  return true;
}
