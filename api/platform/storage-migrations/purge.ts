import { areOnePlace } from '../../../gateways/storage/onePlace.js';
import { StorageUnavailable } from '../../../gateways/storage/port.js';
import type { TransactionOptions } from '../../../models/database/tenancy.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { trialOf } from '../../../models/organizations/files/storedFiles.js';
import {
  purgeSource,
  readSources,
  type Sources,
  type Told,
} from '../../../models/organizations/storage-migrations/purgeSource.js';
import { inOrganization } from '../../../models/platform/inOrganization.js';

/**
 * Gives up what files have left behind, once the stores have shown that it is not the files themselves.
 * @throws Refusal not_found, storage_not_purgeable, storage_unavailable
 */
export async function purge(organizationId: string, id: string, transaction: TransactionOptions) {
  const sources = await inOrganization(organizationId, () => readSources(id), { readOnly: true });
  const told = await tellApart(organizationId, id, sources);
  return inOrganization(organizationId, () => purgeSource(id, told), transaction);
}

async function tellApart(organizationId: string, id: string, { left, lie }: Sources): Promise<Told> {
  const told: Told = { one: [], apart: [] };
  for (const { store, place } of lie) {
    const isOne = await areOnePlace(place, left, trialOf(organizationId, id)).catch(unavailable);
    told[isOne ? 'one' : 'apart'].push(store);
  }
  return told;
}

function unavailable(error: unknown): never {
  throw error instanceof StorageUnavailable ? fileErrors.storage_unavailable() : error;
}
