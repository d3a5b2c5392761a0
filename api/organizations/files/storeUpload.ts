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
import { receiveFile, type UploadedFile } from '../../http/upload.js';
import { type InspectedStream, inspectStream } from './inspectStream.js';
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

/** Stores an upload, and runs `complete` in the transaction that completes its row. */
export function storeUploadAnd<T>(
  request: RequestFacts,
  organizationId: string,
  upload: Upload,
  origin: Origin,
  complete: (file: StoredFile) => Promise<T>,
): Promise<T> {
  const { maxBytes, mediaTypes, maxSide } = UPLOAD_RULES[upload.purpose];
  const inspect = ({ bytes }: UploadedFile) =>
    maxSide ? reencodeImage(bytes, mediaTypes, organizationId, maxSide) : inspectStream(bytes, mediaTypes);
  return storeReceived(request, organizationId, origin, { maxBytes, begun: upload, inspect, complete });
}

interface Reception<T> {
  maxBytes: number;
  /** The file whose row is committed already, or a function that commits it once name and declared type are known. */
  begun: NewFile | ((file: UploadedFile) => Promise<NewFile>);
  inspect: (file: UploadedFile) => InspectedStream;
  /** Runs in the transaction that completes the row. */
  complete: (file: StoredFile) => Promise<T>;
}

/** Receives an upload and stores it. On failure its row is abandoned. @throws Refusal as `storeUpload` */
export async function storeReceived<T>(
  request: RequestFacts,
  organizationId: string,
  origin: Origin,
  { maxBytes, begun, inspect, complete }: Reception<T>,
): Promise<T> {
  let row = typeof begun === 'function' ? undefined : begun;
  try {
    const facts = await receiveFile(request.raw, organizationId, maxBytes, async (file) => {
      if (typeof begun === 'function') row = await begun(file);
      const { id, location } = row as NewFile;
      // The client may have gone meanwhile. A stream that is over already would never end its readers.
      if (file.bytes.destroyed) throw file.bytes.errored ?? new Error('The upload ended early.');
      const { checked, facts: factsOf } = inspect(file);
      const stored = withStore(location.store, (store) => store.put(objectKey(organizationId, id, location), checked));
      await refuseIfUnavailable(stored, id);
      return { name: file.name, ...factsOf() };
    });
    const { id } = row as NewFile;
    return await inTenant(organizationId, async () => complete(await completeUpload(id, facts)), { origin });
  } catch (error) {
    if (row) await abandon(organizationId, row.id);
    throw error;
  }
}

const abandon = (organizationId: string, id: string): Promise<unknown> =>
  inTenant(organizationId, () => abandonUpload(id)).catch((err: unknown) => {
    log.warn({ err, fileId: id }, 'could not abandon an upload; the cleanup schedule will delete it in an hour');
  });
