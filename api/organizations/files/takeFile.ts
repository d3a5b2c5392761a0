/** Puts an upload into the store while it comes in. */
import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { StorageUnavailable, type StoragePort } from '../../../gateways/storage/port.js';
import { store } from '../../../gateways/storage/store.js';
import type { Origin } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { invalid } from '../../../models/errors.js';
import { log } from '../../../models/log.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { HEAD_BYTES, mediaTypeOf, PURPOSES, type UploadPurpose } from '../../../models/organizations/files/purposes.js';
import { giveUpUpload, keepUpload, keyOf, type StoredFile } from '../../../models/organizations/files/storedFiles.js';
import type { RequestFacts } from '../../http/routes.js';
import { receiveFile, type UploadedFile } from '../../http/upload.js';

const COME_BACK_SECONDS = 30;

const unreachable = () =>
  fileErrors.storage_unavailable(undefined, undefined, { 'Retry-After': String(COME_BACK_SECONDS) });

/** @throws Refusal storage_unavailable without a store */
export function openStore(): StoragePort {
  const opened = store();
  if (!opened) throw unreachable();
  return opened;
}

/**
 * The row of the upload is committed. What goes wrong leaves a row that the sweep goes by.
 * @throws Refusal storage_unavailable, validation_error for a file of another kind, and those of `receiveFile`
 */
export const takeFile = (
  request: RequestFacts,
  organizationId: string,
  upload: { id: string; purpose: UploadPurpose },
  origin: Origin,
): Promise<StoredFile> => takeFileFor(request, organizationId, upload, origin, async (file) => file);

/** The same; the file is for something that begins in the transaction that keeps it. */
export async function takeFileFor<T>(
  request: RequestFacts,
  organizationId: string,
  { id, purpose }: { id: string; purpose: UploadPurpose },
  origin: Origin,
  begin: (file: StoredFile) => Promise<T>,
): Promise<T> {
  const { mostBytes } = PURPOSES[purpose];
  try {
    const facts = await receiveFile(request.raw, organizationId, mostBytes, (file) =>
      putFile(keyOf(organizationId, id), file, PURPOSES[purpose].mediaTypes),
    );
    return await inTenant(organizationId, async () => begin(await keepUpload(id, facts)), { origin });
  } catch (error) {
    await inTenant(organizationId, () => giveUpUpload(id)).catch((err: unknown) => {
      log.warn({ err, fileId: id }, 'an upload was not given up; the sweep finds it in an hour');
    });
    if (!(error instanceof StorageUnavailable)) throw error;
    log.error({ err: error, fileId: id }, 'the store did not take a file');
    throw unreachable();
  }
}

async function putFile(key: string, { name, bytes }: UploadedFile, mediaTypes: readonly string[]) {
  const { checked, facts } = inspect(bytes, mediaTypes);
  await openStore().put(key, checked);
  return { name, ...facts() };
}

/** Counts and digests what passes through, and ends it where it is nothing that we take. */
function inspect(bytes: Readable, mediaTypes: readonly string[]) {
  const digest = createHash('sha256');
  let size = 0;
  let head = Buffer.alloc(0);
  let mediaType: string | null = null;
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      digest.update(chunk);
      size += chunk.length;
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
      next(head.length < HEAD_BYTES ? null : refusalOf(), chunk);
    },
    flush: (done) => done(size === 0 ? invalid('file', 'The file is empty.') : refusalOf()),
  });
  const refusalOf = () => {
    mediaType ??= mediaTypeOf(head);
    const fits = mediaType !== null && mediaTypes.includes(mediaType);
    return fits ? null : invalid('file', `Its content is none of ${mediaTypes.join(', ')}.`);
  };
  bytes.once('error', (error) => checked.destroy(error));
  bytes.pipe(checked);
  const facts = () => ({ media_type: mediaType ?? '', size_bytes: size, sha256: digest.digest('hex') });
  return { checked, facts };
}
