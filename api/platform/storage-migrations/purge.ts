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
 * Deletes the old copies of migrated files from the migration's source. First compares the source with each bucket that
 * holds these files now: a copy in the same bucket is the file itself.
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
