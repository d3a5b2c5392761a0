import { withStore } from '../../../gateways/storage/withStore.js';
import { objectKey, type LocatedFile, type StoredFile } from '../../../models/organizations/files/storedFiles.js';
import type { StorageLocation } from '../../../models/organizations/storage-config/storageLocations.js';
import { requireFound } from '../../../models/errors.js';
import { AfterCommit, Answer } from '../../http/routes.js';
import { refuseIfUnavailable } from './storeUpload.js';

/** Lifetime of a download URL. It is long enough to begin a download and too short to share the URL. */
export const URL_LIFETIME_SECONDS = 5 * 60;

/**
 * Returns a signed URL that downloads the file, or displays it if `isInline`. The store is not contacted.
 * @throws Refusal storage_unavailable if no store is configured
 */
export const downloadAddress = (
  organizationId: string,
  file: StoredFile,
  location: StorageLocation,
  isInline = false,
): Promise<string> => {
  const download = { name: file.name, mediaType: file.media_type, isInline, seconds: URL_LIFETIME_SECONDS };
  const signed = withStore(location.store, (store) =>
    store.signedUrl(objectKey(organizationId, file.id, location), download),
  );
  return refuseIfUnavailable(signed, file.id);
};

/**
 * Returns a signed URL after the organization's own store has confirmed the key and the file. Without this check the
 * reader could be redirected to an error response that the store shows to anonymous clients.
 * @throws Refusal storage_unavailable, not_found
 */
async function verifiedAddress(organizationId: string, file: StoredFile, location: StorageLocation): Promise<string> {
  if (location.store) {
    const exists = withStore(location.store, (store) => store.has(objectKey(organizationId, file.id, location)));
    requireFound((await refuseIfUnavailable(exists, file.id)) || null);
  }
  return downloadAddress(organizationId, file, location);
}

/**
 * Redirects to a file that the actor may read, after the request's transaction has committed.
 * @throws Refusal not_found
 */
export function redirectToDownload(organizationId: string, located: LocatedFile | null): AfterCommit<void> {
  const { location, ...file } = requireFound(located);
  return new AfterCommit(async () => {
    const Location = await verifiedAddress(organizationId, file, location);
    return new Answer(undefined, { headers: { Location } });
  });
}
