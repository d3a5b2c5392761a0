/** What is made for an organization at the platform's provider of stores, and what is on record of it. */
import { config } from '../../../config.js';
import { loadIfThere } from '../../database/model/read.js';
import { currentOrganization } from '../../database/rows.js';
import { fileErrors } from '../files/errors.js';
import { StorageConfig } from '../storage-config/StorageConfig.js';
import { StorageProvisioning } from './StorageProvisioning.js';

/** Bucket and user are named by the organization, and hold nothing else's: nothing that is provisioned is anybody else's. */
export interface Wanted {
  /** Null: AWS. */
  endpoint: string | null;
  region: string;
  bucket: string;
  prefix: string;
  user: string;
}

export interface OnRecord {
  id: string;
  /** Null: of the key that is there somebody else has told the secret. */
  accessKeyId: string | null;
  isActive: boolean;
}

const PREFIX = 'files/';

/** @throws Refusal storage_provisioning_off */
export function provisioningSettings(): NonNullable<typeof config.storageProvisioning> {
  if (!config.storageProvisioning) throw fileErrors.storage_provisioning_off();
  return config.storageProvisioning;
}

/**
 * The store that is wanted, in the region where it once was made; what an organization has said of one that was not, counts for nothing.
 * @throws Refusal storage_provisioning_off
 */
export async function readWanted(): Promise<{ wanted: Wanted; onRecord: OnRecord | null }> {
  const { name, region, endpoint } = provisioningSettings();
  const bucket = `${name}-${currentOrganization()}`;
  const there = await loadIfThere(StorageConfig, { endpoint, bucket, prefix: PREFIX });
  const isMade = there?.source === 'provisioned' || (await loadIfThere(StorageProvisioning, { status: 'completed' }));
  const wanted = { endpoint, region: (isMade && there?.region) || region, bucket, prefix: PREFIX, user: bucket };
  if (!there) return { wanted, onRecord: null };
  const { id, source, access_key_id, is_active: isActive } = there;
  return { wanted, onRecord: { id, accessKeyId: source === 'provisioned' ? access_key_id : null, isActive } };
}
