/** Chooses the storage for an organization's new files, and lists the storages that still hold files. */
import { audit } from '../../database/audit.js';
import { encrypt } from '../../database/encryption.js';
import { createRow, editRow, lockForEditIfExists, requireVersion } from '../../database/model/change.js';
import { readRows, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { invalid, refuse } from '../../errors.js';
import { fileErrors } from '../files/errors.js';
import { secretContext } from './storageLocations.js';
import { StorageConfig } from './StorageConfig.js';

type ShownStore = ShownRow<typeof StorageConfig>;

export interface StoreInput {
  provider: StorageConfig['provider'];
  endpoint?: string | null | undefined;
  region: string;
  bucket: string;
  prefix: string;
  access_key_id: string;
  /** The secret key; default: the secret that is stored for this storage and this access key. */
  secret_access_key?: string | undefined;
  version?: number | undefined;
}

export interface Storage {
  /** The organization's own storage for new files; null: they go to the platform's storage. */
  store: ShownStore | null;
  /** Earlier storages that still hold files; the latest first. */
  earlier: ShownStore[];
  version: number;
}

/** Maximum number of storages of an organization. */
const MAX_STORES = 20;

/** Returns the organization's storages. Version 0 means that new files go to the platform's storage. */
export async function readStorage(): Promise<Storage> {
  const stores = await readRows(StorageConfig, ['id']);
  const store = stores.find(({ is_active }) => is_active) ?? null;
  const earlier = stores.filter(({ is_active, files }) => !is_active && files > 0).reverse();
  return { store, earlier, version: store?.version ?? 0 };
}

/**
 * Sends new files to this storage; existing files stay where they are. Choosing an earlier storage again reuses its
 * row.
 * @throws Refusal stale_version, validation_error, too_many_stores
 */
export async function chooseStore({ secret_access_key: secret, version, ...input }: StoreInput): Promise<Storage> {
  const active = await lockActiveStore(version);
  const { endpoint = null, bucket, prefix, region, access_key_id } = input;
  const existing = await lockForEditIfExists(StorageConfig, { endpoint, bucket, prefix });
  if (secret === undefined && existing?.access_key_id !== access_key_id)
    throw invalid('secret_access_key', 'Required, because no secret is stored for this storage and access key.');
  if (active && active.id !== existing?.id) await editRow(active, { is_active: false });
  if (existing) {
    const secretColumns =
      secret === undefined ? {} : { ...encryptSecret(existing.id, secret), source: 'manual' as const };
    await editRow(existing, { region, access_key_id, ...secretColumns, is_active: true });
    if (secret !== undefined) await auditSecret(existing.id);
  } else {
    await requireStoreLimit();
    const id = uuidv7();
    await createRow(StorageConfig, { id, ...input, endpoint, ...encryptSecret(id, secret ?? '') });
  }
  return readStorage();
}

/** Sends new files to the platform's storage. */
export async function deactivateStore(): Promise<void> {
  const active = await lockActiveStore(undefined);
  if (active) await editRow(active, { is_active: false });
}

/** Locks the choice of the storage for new files, until the transaction ends. */
export const lockStoreChoice = (): Promise<unknown> =>
  rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 43))', [currentOrganization()]);

/** Locks the choice of the storage, and returns the storage that takes new files. @throws Refusal stale_version */
async function lockActiveStore(version: number | undefined): Promise<StorageConfig | null> {
  await lockStoreChoice();
  const active = await lockForEditIfExists(StorageConfig, { is_active: true });
  if (active) requireVersion(active, version);
  else if (version !== undefined && version !== 0) throw refuse.stale_version();
  return active;
}

export const encryptSecret = (id: string, secret: string) => ({
  secret_access_key_encrypted: encrypt(secret, secretContext(id)),
});

/** Requires fewer storages than the maximum. @throws Refusal too_many_stores */
export async function requireStoreLimit(): Promise<void> {
  const stores = await readRows(StorageConfig, ['id']);
  if (stores.length >= MAX_STORES) throw fileErrors.too_many_stores();
}

export const auditSecret = (subjectId: string) =>
  audit({ action: 'storage_config.secret_replaced', subjectType: 'storage_config', subjectId });
