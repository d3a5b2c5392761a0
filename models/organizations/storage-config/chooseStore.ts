/** Which store takes an organization's new files, and which are still read. */
import { audit } from '../../database/audit.js';
import { encrypt } from '../../database/encryption.js';
import { createRow, editRow, lockIfThere, requireVersion } from '../../database/model/change.js';
import { readRows, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { invalid, refuse } from '../../errors.js';
import { fileErrors } from '../files/errors.js';
import { secretPlace } from './places.js';
import { StorageConfig } from './StorageConfig.js';

type Shown = ShownRow<typeof StorageConfig>;

export interface StoreGiven {
  provider: StorageConfig['provider'];
  endpoint?: string | null | undefined;
  region: string;
  bucket: string;
  prefix: string;
  access_key_id: string;
  /** Left out: that of the same store and key stays. */
  secret_access_key?: string | undefined;
  version?: number | undefined;
}

export interface Storage {
  /** Null: new files go to the platform's store. */
  store: Shown | null;
  /** Those that were left, and have files still; the last one first. */
  earlier: Shown[];
  version: number;
}

/** More stores are no plan; each holds a secret. */
const MOST = 20;

/** Version 0 says that files go to the platform's store. */
export async function readStorage(): Promise<Storage> {
  const stores = await readRows(StorageConfig, ['id']);
  const store = stores.find(({ is_active }) => is_active) ?? null;
  const earlier = stores.filter(({ is_active, files }) => !is_active && files > 0).reverse();
  return { store, earlier, version: store?.version ?? 0 };
}

/**
 * New files go there from now on; the others are where they were. A place that was left and is come back to is the same row.
 * @throws Refusal stale_version, validation_error, too_many_stores
 */
export async function chooseStore({ secret_access_key: secret, version, ...given }: StoreGiven): Promise<Storage> {
  const active = await lockActive(version);
  const { endpoint = null, bucket, prefix, region, access_key_id } = given;
  const there = await lockIfThere(StorageConfig, { endpoint, bucket, prefix });
  if (secret === undefined && there?.access_key_id !== access_key_id)
    throw invalid('secret_access_key', 'Send it: none is kept that was entered for this store and this key.');
  if (active && active.id !== there?.id) await editRow(active, { is_active: false });
  if (there) {
    const sealed = secret === undefined ? {} : { ...sealedFor(there.id, secret), source: 'manual' as const };
    await editRow(there, { region, access_key_id, ...sealed, is_active: true });
    if (secret !== undefined) await auditSecret(there.id);
  } else {
    await requireRoom();
    const id = uuidv7();
    await createRow(StorageConfig, { id, ...given, endpoint, ...sealedFor(id, secret ?? '') });
  }
  return readStorage();
}

/** New files go to the platform's store from now on. */
export async function leaveStore(): Promise<void> {
  const active = await lockActive(undefined);
  if (active) await editRow(active, { is_active: false });
}

/** Whoever else changes which store takes new files waits. */
export const holdStores = (): Promise<unknown> =>
  rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 43))', [currentOrganization()]);

/** The store that takes new files; whoever else changes which one that is waits. @throws Refusal stale_version */
async function lockActive(version: number | undefined): Promise<StorageConfig | null> {
  await holdStores();
  const active = await lockIfThere(StorageConfig, { is_active: true });
  if (active) requireVersion(active, version);
  else if (version !== undefined && version !== 0) throw refuse.stale_version();
  return active;
}

export const sealedFor = (id: string, secret: string) => ({
  secret_access_key_encrypted: encrypt(secret, secretPlace(id)),
});

/** @throws Refusal too_many_stores */
export async function requireRoom(): Promise<void> {
  const stores = await readRows(StorageConfig, ['id']);
  if (stores.length >= MOST) throw fileErrors.too_many_stores();
}

export const auditSecret = (subjectId: string) =>
  audit({ action: 'storage_config.secret_replaced', subjectType: 'storage_config', subjectId });
