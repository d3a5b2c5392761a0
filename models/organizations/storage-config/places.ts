/** Where files lie: each says for itself, so that a change of the store moves none. */
import { config } from '../../../config.js';
import { decrypt } from '../../database/encryption.js';
import { currentOrganization, firstRow } from '../../database/rows.js';

/** A store, with what opens it. */
export interface Place {
  /** What keys begin with. */
  prefix: string;
  /** Null: the platform's. */
  store: {
    bucket: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: string;
    endpoint: string | undefined;
  } | null;
}

interface Stored {
  id: string;
  endpoint: string | null;
  region: string;
  bucket: string;
  prefix: string;
  access_key_id: string;
  secret_access_key_encrypted: string;
}

/** Where the secret is kept. */
export const secretPlace = (rowId: string) => ({
  table: 'storage_configs',
  column: 'secret_access_key_encrypted',
  rowId,
});

/** The platform's store keeps each organization apart by its id, and so do its own. */
export const PLATFORM: Place = { prefix: '', store: null };

const COLUMNS = 'c.id, c.endpoint, c.region, c.bucket, c.prefix, c.access_key_id, c.secret_access_key_encrypted';

/** What a row of `storage_configs` stands for. @param id null: the platform's */
export async function placeOf(id: string | null): Promise<Place> {
  if (id === null) return PLATFORM;
  const found = await firstRow<Stored>(
    `SELECT ${COLUMNS} FROM storage_configs c WHERE c.organization_id = $1 AND c.id = $2`,
    [currentOrganization(), id],
  );
  if (!found) throw new Error('A file lies in a store that is not known.');
  return opened(found);
}

/** The store of the organization's own that takes new files, or null. */
export async function ownPlace(): Promise<Place | null> {
  const found = await firstRow<Stored>(
    `SELECT ${COLUMNS} FROM storage_configs c WHERE c.organization_id = $1 AND c.is_active`,
    [currentOrganization()],
  );
  return found && opened(found);
}

/** Whether there is any store that takes new files. */
export async function takesFiles(): Promise<boolean> {
  if (config.storage) return true;
  const own = await firstRow('SELECT FROM storage_configs c WHERE c.organization_id = $1 AND c.is_active', [
    currentOrganization(),
  ]);
  return own !== null;
}

/** Where a file lies. */
export async function placeOfFile(fileId: string): Promise<Place> {
  const found = await firstRow<Stored>(
    `SELECT ${COLUMNS} FROM stored_files f
       JOIN storage_configs c ON c.organization_id = f.organization_id AND c.id = f.storage_config_id
      WHERE f.organization_id = $1 AND f.id = $2`,
    [currentOrganization(), fileId],
  );
  return found ? opened(found) : PLATFORM;
}

const opened = ({ id, prefix, ...stored }: Stored): Place => ({
  prefix,
  store: {
    bucket: stored.bucket,
    region: stored.region,
    endpoint: stored.endpoint ?? undefined,
    accessKeyId: stored.access_key_id,
    secretAccessKey: decrypt(stored.secret_access_key_encrypted, secretPlace(id)),
  },
});
