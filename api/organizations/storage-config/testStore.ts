import { type StoreTrial, tryStore } from '../../../gateways/storage/tryStore.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { testObjectKey } from '../../../models/organizations/files/storedFiles.js';
import { readOwnLocation } from '../../../models/organizations/storage-config/storageLocations.js';

/**
 * Prepares a test of the current tenant's own store. Call the returned function outside of any transaction.
 * @throws Refusal no_own_store
 */
export async function testStore(organizationId: string): Promise<() => Promise<StoreTrial>> {
  const place = await readOwnLocation();
  if (!place?.store) throw fileErrors.no_own_store();
  const { store } = place;
  return () => tryStore(store, testObjectKey(organizationId, uuidv7(), place));
}
