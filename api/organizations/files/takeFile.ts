/** Puts an upload into the store while it comes in. */
import { inStore } from '../../../gateways/storage/inStore.js';
import { StorageUnavailable } from '../../../gateways/storage/port.js';
import type { Origin } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { log } from '../../../models/log.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { TAKEN, type TakenPurpose } from '../../../models/organizations/files/purposes.js';
import {
  type BegunFile,
  giveUpUpload,
  keepUpload,
  keyOf,
  type StoredFile,
} from '../../../models/organizations/files/storedFiles.js';
import { takesFiles } from '../../../models/organizations/storage-config/places.js';
import type { RequestFacts } from '../../http/routes.js';
import { receiveFile } from '../../http/upload.js';
import { inspected } from './inspected.js';
import { reencodeImage } from './reencodeImage.js';

const COME_BACK_SECONDS = 30;

const unreachable = () =>
  fileErrors.storage_unavailable(undefined, undefined, { 'Retry-After': String(COME_BACK_SECONDS) });

/** @throws Refusal storage_unavailable where nothing would take a file */
export async function requireStore(): Promise<void> {
  if (!(await takesFiles())) throw unreachable();
}

/** What a store does not do just now is a refusal. @throws Refusal storage_unavailable */
export async function orUnavailable<T>(done: Promise<T>, fileId: string): Promise<T> {
  try {
    return await done;
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    log.error({ err: error, fileId }, 'the store of a file does not do what it was asked');
    throw unreachable();
  }
}

/** A file that begins, and what it is for. */
export type Upload = BegunFile & { purpose: TakenPurpose };

/**
 * The row of the upload is committed. What goes wrong leaves a row that the sweep goes by.
 * @throws Refusal storage_unavailable, validation_error for a file of another kind, and those of `receiveFile`
 */
export const takeFile = (
  request: RequestFacts,
  organizationId: string,
  upload: Upload,
  origin: Origin,
): Promise<StoredFile> => takeFileFor(request, organizationId, upload, origin, async (file) => file);

/** The same; the file is for something that begins in the transaction that keeps it. */
export async function takeFileFor<T>(
  request: RequestFacts,
  organizationId: string,
  { id, purpose, place }: Upload,
  origin: Origin,
  begin: (file: StoredFile) => Promise<T>,
): Promise<T> {
  const { mostBytes, mediaTypes, redraws = false } = TAKEN[purpose];
  try {
    const look = redraws ? reencodeImage : inspected;
    const taken = receiveFile(request.raw, organizationId, mostBytes, async (file) => {
      const { checked, facts } = look(file.bytes, mediaTypes, organizationId);
      await inStore(place.store, (store) => store.put(keyOf(organizationId, id, place), checked));
      return { name: file.name, ...facts() };
    });
    const kept = await orUnavailable(taken, id);
    return await inTenant(organizationId, async () => begin(await keepUpload(id, kept)), { origin });
  } catch (error) {
    await inTenant(organizationId, () => giveUpUpload(id)).catch((err: unknown) => {
      log.warn({ err, fileId: id }, 'an upload was not given up; the sweep finds it in an hour');
    });
    throw error;
  }
}
