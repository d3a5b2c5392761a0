/**
 * Resolves where files are stored. Each file's row names its storage, so that choosing another storage moves no files.
 */
import { config } from '../../../config.js';
import { decrypt } from '../../database/encryption.js';
import { currentOrganization, firstRow } from '../../database/rows.js';

/** A storage with its credentials. */
export interface StorageLocation {
  /** Prefix of all object keys. */
  prefix: string;
  /** The organization's own bucket and its credentials; null: the platform's storage. */
  store: {
    bucket: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: string;
    endpoint: string | undefined;
  } | null;
}

interface StoreRow {
  id: string;
  endpoint: string | null;
  region: string;
  bucket: string;
  prefix: string;
  access_key_id: string;
  secret_access_key_encrypted: string;
}

/** Returns the encryption context (associated data) of a row's secret key. */
export const secretContext = (rowId: string) => ({
  table: 'storage_configs',
  column: 'secret_access_key_encrypted',
  rowId,
});

/** The platform's storage. Object keys contain the organization's id, as in the organizations' own storages. */
export const PLATFORM_STORAGE: StorageLocation = { prefix: '', store: null };

const COLUMNS = 'c.id, c.endpoint, c.region, c.bucket, c.prefix, c.access_key_id, c.secret_access_key_encrypted';

/** Returns the storage of a row of `storage_configs`. @param id null: the platform's */
export async function readLocation(id: string | null): Promise<StorageLocation> {
  if (id === null) return PLATFORM_STORAGE;
  const row = await firstRow<StoreRow>(
    `SELECT ${COLUMNS} FROM storage_configs c WHERE c.organization_id = $1 AND c.id = $2`,
    [currentOrganization(), id],
  );
  if (!row) throw new Error('A file refers to a storage that does not exist.');
  return toLocation(row);
}

/** Returns the organization's own storage for new files, or null. */
export async function readOwnLocation(): Promise<StorageLocation | null> {
  const row = await firstRow<StoreRow>(
    `SELECT ${COLUMNS} FROM storage_configs c WHERE c.organization_id = $1 AND c.is_active`,
    [currentOrganization()],
  );
  return row && toLocation(row);
}

/** Reports whether there is a storage for new files. */
export async function hasStorage(): Promise<boolean> {
  if (config.storage) return true;
  const activeStore = await firstRow('SELECT FROM storage_configs c WHERE c.organization_id = $1 AND c.is_active', [
    currentOrganization(),
  ]);
  return activeStore !== null;
}

/** Returns the storage of a file. */
export async function readFileLocation(fileId: string): Promise<StorageLocation> {
  const row = await firstRow<StoreRow>(
    `SELECT ${COLUMNS} FROM stored_files f
       JOIN storage_configs c ON c.organization_id = f.organization_id AND c.id = f.storage_config_id
      WHERE f.organization_id = $1 AND f.id = $2`,
    [currentOrganization(), fileId],
  );
  return row ? toLocation(row) : PLATFORM_STORAGE;
}

const toLocation = ({ id, prefix, ...stored }: StoreRow): StorageLocation => ({
  prefix,
  store: {
    bucket: stored.bucket,
    region: stored.region,
    endpoint: stored.endpoint ?? undefined,
    accessKeyId: stored.access_key_id,
    secretAccessKey: decrypt(stored.secret_access_key_encrypted, secretContext(id)),
  },
});
