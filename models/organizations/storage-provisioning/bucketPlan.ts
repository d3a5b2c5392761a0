/** The bucket to provision for an organization at the platform's storage provider, and the existing storage row. */
import { config } from '../../../config.js';
import { loadIfExists } from '../../database/model/read.js';
import { currentOrganization } from '../../database/rows.js';
import { fileErrors } from '../files/errors.js';
import { StorageConfig } from '../storage-config/StorageConfig.js';
import { StorageProvisioning } from './StorageProvisioning.js';

/**
 * The bucket and its user at the provider. They are named after the organization and hold only its files, so that
 * nothing provisioned is shared.
 */
export interface BucketPlan {
  /** Base URL of the provider; null for AWS. */
  endpoint: string | null;
  region: string;
  bucket: string;
  prefix: string;
  user: string;
}

export interface ExistingStore {
  id: string;
  /** The provisioned access key; null if a person entered the stored key. */
  accessKeyId: string | null;
  isActive: boolean;
}

const PREFIX = 'files/';

/**
 * Returns the settings for provisioning.
 * @throws Refusal storage_provisioning_off if it is not configured
 */
export function provisioningSettings(): NonNullable<typeof config.storageProvisioning> {
  if (!config.storageProvisioning) throw fileErrors.storage_provisioning_off();
  return config.storageProvisioning;
}

/**
 * Returns the bucket to provision. If it was provisioned before, its stored region is used; otherwise the configured
 * one, even if an admin has entered this bucket by hand with another region.
 * @throws Refusal storage_provisioning_off
 */
export async function readBucketPlan(): Promise<{ plan: BucketPlan; existing: ExistingStore | null }> {
  const { name, region, endpoint } = provisioningSettings();
  const bucket = `${name}-${currentOrganization()}`;
  const row = await loadIfExists(StorageConfig, { endpoint, bucket, prefix: PREFIX });
  const wasProvisioned =
    row?.source === 'provisioned' || (await loadIfExists(StorageProvisioning, { status: 'completed' }));
  const plan = { endpoint, region: (wasProvisioned && row?.region) || region, bucket, prefix: PREFIX, user: bucket };
  if (!row) return { plan, existing: null };
  const { id, source, access_key_id, is_active: isActive } = row;
  return { plan, existing: { id, accessKeyId: source === 'provisioned' ? access_key_id : null, isActive } };
}
