/** Streams an upload into the store. */
import { withStore } from '../../../gateways/storage/withStore.js';
import { StorageUnavailable } from '../../../gateways/storage/port.js';
import type { Origin } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { log } from '../../../models/log.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { UPLOAD_RULES, type UploadablePurpose } from '../../../models/organizations/files/purposes.js';
import {
  type NewFile,
  abandonUpload,
  completeUpload,
  objectKey,
  type StoredFile,
} from '../../../models/organizations/files/storedFiles.js';
import { hasStorage } from '../../../models/organizations/storage-config/storageLocations.js';
import type { RequestFacts } from '../../http/routes.js';
import { receiveFile } from '../../http/upload.js';
import { inspectStream } from './inspectStream.js';
import { reencodeImage } from './reencodeImage.js';

const RETRY_AFTER_SECONDS = 30;

const unreachable = () =>
  fileErrors.storage_unavailable(undefined, undefined, { 'Retry-After': String(RETRY_AFTER_SECONDS) });

/**
 * Requires that a store accepts files.
 * @throws Refusal storage_unavailable if there is none
 */
export async function requireStore(): Promise<void> {
  if (!(await hasStorage())) throw unreachable();
}

/**
 * Converts an unavailable store to a refusal.
 * @throws Refusal storage_unavailable
 */
export async function refuseIfUnavailable<T>(operation: Promise<T>, fileId: string): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    log.error({ err: error, fileId }, 'the store of a file did not complete an operation');
    throw unreachable();
  }
}

/** A file whose upload has begun, with its purpose. */
export type Upload = NewFile & { purpose: UploadablePurpose };

/**
 * Stores an upload whose row is already committed. On failure the row is abandoned, and the cleanup schedule deletes it
 * with its bytes.
 * @throws Refusal storage_unavailable, validation_error for a file of another type, and the refusals of `receiveFile`
 */
export const storeUpload = (
  request: RequestFacts,
  organizationId: string,
  upload: Upload,
  origin: Origin,
): Promise<StoredFile> => storeUploadAnd(request, organizationId, upload, origin, async (file) => file);

/** Stores an upload, and runs `begin` in the transaction that completes its row. */
export async function storeUploadAnd<T>(
  request: RequestFacts,
  organizationId: string,
  { id, purpose, location }: Upload,
  origin: Origin,
  begin: (file: StoredFile) => Promise<T>,
): Promise<T> {
  const { maxBytes, mediaTypes, maxSide } = UPLOAD_RULES[purpose];
  try {
    const received = receiveFile(request.raw, organizationId, maxBytes, async (file) => {
      const { checked, facts } = maxSide
        ? reencodeImage(file.bytes, mediaTypes, organizationId, maxSide)
        : inspectStream(file.bytes, mediaTypes);
      await withStore(location.store, (store) => store.put(objectKey(organizationId, id, location), checked));
      return { name: file.name, ...facts() };
    });
    const storedFacts = await refuseIfUnavailable(received, id);
    return await inTenant(organizationId, async () => begin(await completeUpload(id, storedFacts)), { origin });
  } catch (error) {
    await inTenant(organizationId, () => abandonUpload(id)).catch((err: unknown) => {
      log.warn({ err, fileId: id }, 'could not abandon an upload; the cleanup schedule will delete it in an hour');
    });
    throw error;
  }
}
