import { keyOf, type StoredFile } from '../../../models/organizations/files/storedFiles.js';
import { openStore } from './takeFile.js';

/** Long enough to begin a download, and too short to hand the address on. */
const SECONDS = 5 * 60;

/** Where the bytes are, to be saved and never shown. @throws Refusal storage_unavailable without a store */
export const downloadAddress = (organizationId: string, { id, name, media_type: mediaType }: StoredFile) =>
  openStore().signedUrl(keyOf(organizationId, id), { name, mediaType, seconds: SECONDS });
