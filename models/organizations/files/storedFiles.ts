/**
 * Files in storage. A file's row exists before its first byte is stored and until its last byte is removed, so that
 * every object in storage has an owner.
 */
import { config } from '../../../config.js';
import { scanFile } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import {
  type StorageLocation,
  PLATFORM_STORAGE,
  readLocation,
  readFileLocation,
} from '../storage-config/storageLocations.js';
import { fileErrors } from './errors.js';
import {
  COUNTED_TOGETHER,
  type FilePurpose,
  type ForumPurpose,
  SCANNED_PURPOSES,
  type UploadPurpose,
} from './purposes.js';

export interface FileFacts {
  name: string;
  media_type: string;
  size_bytes: number;
  /** SHA-256 in hexadecimal digits. */
  sha256: string;
}

export interface StoredFile extends FileFacts {
  id: string;
  purpose: FilePurpose;
  /** The user who uploaded the file; null for an applicant, who has no account. */
  uploaded_by: string | null;
  created_at: string;
  /** Whether the file has not been found clean yet. Until then it cannot be read. */
  is_being_checked: boolean;
}

/** Uploads per person and day in an organization, far more than ordinary use needs. */
const MAX_UPLOADS_PER_DAY = 100;

/**
 * Returns the object key of a file: under its organization's prefix, in the organization's or the platform's storage.
 */
export const objectKey = (
  organizationId: string,
  fileId: string,
  { prefix }: StorageLocation = PLATFORM_STORAGE,
): string => `${prefix}${organizationId}/${fileId}`;

/** Returns the object key that storage tests use. @param id of the configuration or request that is tested */
export const testObjectKey = (organizationId: string, id: string, location?: StorageLocation): string =>
  objectKey(organizationId, `test-${id}`, location);

/**
 * A file whose upload has begun. It is stored in the storage of its row, even if another storage is activated
 * meanwhile.
 */
export interface NewFile {
  id: string;
  location: StorageLocation;
}

/** Records that a person is going to upload a file. @throws Refusal too_many_files */
export async function beginUpload(purpose: UploadPurpose | ForumPurpose, uploadedBy: string): Promise<NewFile> {
  const { count } = await oneRow<{ count: number }>(
    `SELECT count(*)::int FROM stored_files
      WHERE organization_id = $1 AND uploaded_by = $2 AND created_at > now() - interval '1 day'
        AND purpose = ANY($3)`,
    [currentOrganization(), uploadedBy, COUNTED_TOGETHER.find((purposes) => purposes.includes(purpose))],
  );
  if (count >= MAX_UPLOADS_PER_DAY) throw fileErrors.too_many_files();
  return beginFile(purpose, uploadedBy);
}

/** Records that the platform is going to write a file for a person. */
export async function beginFile(purpose: FilePurpose, uploadedBy: string | null): Promise<NewFile> {
  const { id, storage_config_id } = await oneRow<{ id: string; storage_config_id: string | null }>(
    `INSERT INTO stored_files (organization_id, purpose, uploaded_by, storage_config_id)
     SELECT $1, $2, $3, (SELECT id FROM storage_configs WHERE organization_id = $1 AND is_active)
     RETURNING id, storage_config_id`,
    [currentOrganization(), purpose, uploadedBy],
  );
  return { id, location: await readLocation(storage_config_id) };
}

const SHOWN_COLUMNS = `id, purpose, uploaded_by, name, media_type, size_bytes, sha256, created_at, status = 'held' AS is_being_checked`;

/**
 * Marks the upload as complete. With a scanner configured, a file whose purpose is scanned is held until the scanner
 * has finished.
 * @throws Refusal storage_unavailable if the upload took so long that the file was removed
 */
export async function completeUpload(
  id: string,
  { name, media_type, size_bytes, sha256 }: FileFacts,
): Promise<StoredFile> {
  const stored = await firstRow<{ file: StoredFile }>(
    `WITH kept AS (
       UPDATE stored_files SET name = $3, media_type = $4, size_bytes = $5, sha256 = $6, kept_at = now(),
              status = CASE WHEN purpose = ANY ($7) THEN 'held' ELSE 'kept' END,
              scan = CASE WHEN purpose = ANY ($7) THEN 'waiting' END
        WHERE organization_id = $1 AND id = $2 AND status = 'uploading' RETURNING ${SHOWN_COLUMNS})
     SELECT to_json(kept) AS file FROM kept`,
    [currentOrganization(), id, name, media_type, size_bytes, sha256, config.clamd ? SCANNED_PURPOSES : []],
  );
  if (!stored) throw fileErrors.storage_unavailable();
  const after = { purpose: stored.file.purpose, media_type, size_bytes, sha256 };
  await audit({ action: 'stored_file.uploaded', subjectType: 'stored_file', subjectId: id, after });
  if (stored.file.is_being_checked) await enqueue(scanFile, { fileId: id });
  return stored.file;
}

/** Marks an incomplete upload, so that the next sweep removes it from storage. */
export const abandonUpload = (id: string): Promise<unknown> =>
  rows(`UPDATE stored_files SET status = 'removing' WHERE organization_id = $1 AND id = $2 AND status = 'uploading'`, [
    currentOrganization(),
    id,
  ]);

/**
 * Marks a document that the platform has drawn, once it was handed out, so that the next sweep removes it from storage.
 */
export const releaseDrawnDocument = (id: string): Promise<unknown> =>
  rows(
    `UPDATE stored_files SET status = 'removing'
      WHERE organization_id = $1 AND id = $2 AND purpose = 'drawn_document' AND status = 'kept'`,
    [currentOrganization(), id],
  );

/** Marks files that nothing refers to any more, so that the next sweep removes them. */
export const releaseFiles = (ids: readonly string[]): Promise<unknown> =>
  rows(
    `UPDATE stored_files SET status = 'removing', name = NULL
      WHERE organization_id = $1 AND id = ANY ($2) AND status IN ('held', 'kept')`,
    [currentOrganization(), ids],
  );

/**
 * Returns a completely uploaded file, even if its virus scan has not ended; null if there is none. `locateFile` decides
 * whether it may be read.
 */
export async function findFile(id: string): Promise<StoredFile | null> {
  const row = await firstRow<{ file: StoredFile }>(
    `SELECT to_json(f) AS file FROM (
       SELECT ${SHOWN_COLUMNS} FROM stored_files WHERE organization_id = $1 AND id = $2 AND status IN ('held', 'kept')) f`,
    [currentOrganization(), id],
  );
  return row?.file ?? null;
}

export type LocatedFile = StoredFile & { location: StorageLocation };

/**
 * Returns a file and the place where it is stored. Code that reads a file's content must use this function, which
 * refuses files that are still being scanned.
 * @throws Refusal file_not_checked if the virus scan has not ended
 */
export async function locateFile(id: string): Promise<LocatedFile | null> {
  const file = await findFile(id);
  if (file?.is_being_checked) throw fileErrors.file_not_checked();
  return file && { ...file, location: await readFileLocation(id) };
}

/**
 * Returns those of the files that can be read, each with the place where it is stored. Files that are still being
 * scanned, or were removed, are left out.
 */
export async function locateReadableFiles(ids: readonly string[]): Promise<LocatedFile[]> {
  const found = await rows<{ file: StoredFile; storage_config_id: string | null }>(
    `SELECT (SELECT to_json(f) FROM (SELECT ${SHOWN_COLUMNS}) f) AS file, storage_config_id
       FROM stored_files WHERE organization_id = $1 AND id = ANY ($2) AND status = 'kept'`,
    [currentOrganization(), ids],
  );
  const locations = new Map<string | null, StorageLocation>();
  for (const { storage_config_id: store } of found)
    if (!locations.has(store)) locations.set(store, await readLocation(store));
  return found.map(({ file, storage_config_id: store }) => ({
    ...file,
    location: locations.get(store) as StorageLocation,
  }));
}

/**
 * Keeps uploads that were named in a text. The sweep removes only those that never were.
 * @returns how many of the files are kept; fewer if some are no uploads any more, or already kept
 */
export async function keepUploads(ids: readonly string[]): Promise<number> {
  const keptRows = await rows(
    `UPDATE stored_files SET shown_at = now()
      WHERE organization_id = $1 AND id = ANY ($2) AND status IN ('held', 'kept') AND shown_at IS NULL RETURNING id`,
    [currentOrganization(), ids],
  );
  return keptRows.length;
}

/**
 * Attaches a document to a request; a document can be attached only once. The sweep removes only documents that were
 * never attached, so this one stays.
 * @throws Refusal validation_error if the document does not exist, belongs to another person, or is already attached
 */
export async function attachDocument(id: string, userId: string): Promise<void> {
  const attached = await firstRow(
    `UPDATE stored_files SET shown_at = now()
      WHERE organization_id = $1 AND id = $2 AND uploaded_by = $3 AND purpose = 'request_document'
        AND status IN ('held', 'kept') AND shown_at IS NULL RETURNING id`,
    [currentOrganization(), id, userId],
  );
  if (!attached) throw invalid('document', 'You have no such document, or it is already attached to another request.');
}

/**
 * Used when an account is erased: marks the documents that the person attached to requests, so that the sweep removes
 * them.
 * @returns how many files
 */
export async function removeDocumentsOf(userId: string): Promise<number> {
  const removed = await rows(
    `UPDATE stored_files SET status = 'removing', name = NULL
      WHERE organization_id = $1 AND uploaded_by = $2 AND purpose = 'request_document' AND status <> 'removing'
      RETURNING id`,
    [currentOrganization(), userId],
  );
  return removed.length;
}
