import { type StoreTrial, tryStore } from '../../../gateways/storage/tryStore.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { trialOf } from '../../../models/organizations/files/storedFiles.js';
import { ownPlace } from '../../../models/organizations/storage-config/places.js';

/**
 * Has the open tenant's own store tried; what is returned does it, outside of any transaction.
 * @throws Refusal no_own_store
 */
export async function testStore(organizationId: string): Promise<() => Promise<StoreTrial>> {
  const place = await ownPlace();
  if (!place?.store) throw fileErrors.no_own_store();
  const { store } = place;
  return () => tryStore(store, trialOf(organizationId, uuidv7(), place));
}
