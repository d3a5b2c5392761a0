import { inStore } from '../../../gateways/storage/inStore.js';
import { keyOf, type LocatedFile, type StoredFile } from '../../../models/organizations/files/storedFiles.js';
import type { Place } from '../../../models/organizations/storage-config/places.js';
import { found } from '../../../models/errors.js';
import { AfterCommit, Answer } from '../../http/routes.js';
import { orUnavailable } from './takeFile.js';

/** Long enough to begin a download, and too short to hand the address on. */
const SECONDS = 5 * 60;

/** Where the bytes are, to be saved and never shown; the store is not asked. @throws Refusal storage_unavailable without one */
export const downloadAddress = (organizationId: string, file: StoredFile, place: Place): Promise<string> => {
  const download = { name: file.name, mediaType: file.media_type, seconds: SECONDS };
  const signed = inStore(place.store, (store) => store.signedUrl(keyOf(organizationId, file.id, place), download));
  return orUnavailable(signed, file.id);
};

/**
 * The same, of an organization's own store once it has shown that it knows the key and has the file: else somebody would be sent
 * to what it says to strangers. @throws Refusal storage_unavailable, not_found
 */
async function checkedAddress(organizationId: string, file: StoredFile, place: Place): Promise<string> {
  if (place.store) {
    const asked = inStore(place.store, (store) => store.has(keyOf(organizationId, file.id, place)));
    found((await orUnavailable(asked, file.id)) || null);
  }
  return downloadAddress(organizationId, file, place);
}

/** Leads to a file that its reader may have, if it is there, once the request's rows are committed. @throws Refusal not_found */
export function leadTo(organizationId: string, located: LocatedFile | null): AfterCommit<void> {
  const { place, ...file } = found(located);
  return new AfterCommit(async () => {
    const Location = await checkedAddress(organizationId, file, place);
    return new Answer(undefined, { headers: { Location } });
  });
}
