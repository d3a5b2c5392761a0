import { isSameBucket } from '../../../gateways/storage/isSameBucket.js';
import { StorageUnavailable } from '../../../gateways/storage/port.js';
import type { TransactionOptions } from '../../../models/database/tenancy.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { testObjectKey } from '../../../models/organizations/files/storedFiles.js';
import {
  purgeSource,
  readSources,
  type PurgeSources,
  type SourceComparison,
} from '../../../models/organizations/storage-migrations/purgeSource.js';
import { inOrganization } from '../../../models/platform/inOrganization.js';

/**
 * Purges the source copies of a migration, after checking that the source is not the bucket that still holds the files.
 * @throws Refusal not_found, storage_not_purgeable, storage_unavailable
 */
export async function purge(organizationId: string, id: string, transaction: TransactionOptions) {
  const sources = await inOrganization(organizationId, () => readSources(id), { readOnly: true });
  const comparison = await compareBuckets(organizationId, id, sources);
  return inOrganization(organizationId, () => purgeSource(id, comparison), transaction);
}

async function compareBuckets(
  organizationId: string,
  id: string,
  { source, current }: PurgeSources,
): Promise<SourceComparison> {
  const comparison: SourceComparison = { same: [], different: [] };
  for (const { store, location } of current) {
    const isSame = await isSameBucket(location, source, testObjectKey(organizationId, id)).catch(unavailable);
    comparison[isSame ? 'same' : 'different'].push(store);
  }
  return comparison;
}

function unavailable(error: unknown): never {
  throw error instanceof StorageUnavailable ? fileErrors.storage_unavailable() : error;
}
