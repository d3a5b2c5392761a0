/**
 * Files in the store: a row is there before the first byte is, and until the last is gone, so that nothing in the store is
 * nobody's.
 */
import { config } from '../../../config.js';
import { scanFile } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { type Place, PLATFORM, placeOf, placeOfFile } from '../storage-config/places.js';
import { fileErrors } from './errors.js';
import { type FilePurpose, SCANNED, UPLOAD_PURPOSES, type UploadPurpose } from './purposes.js';

export interface FileFacts {
  name: string;
  media_type: string;
  size_bytes: number;
  /** In hexadecimal digits. */
  sha256: string;
}

export interface StoredFile extends FileFacts {
  id: string;
  purpose: FilePurpose;
  /** Null: an applicant, who has no account. */
  uploaded_by: string | null;
  created_at: string;
  /** Nobody reads it before the scanner has called it clean. */
  is_being_checked: boolean;
}

/** What somebody may upload in an organization within a day; nothing they do needs more. */
const MOST_A_DAY = 100;

/** The object of a file: under its organization's prefix, in whosever store. */
export const keyOf = (organizationId: string, fileId: string, { prefix }: Place = PLATFORM): string =>
  `${prefix}${organizationId}/${fileId}`;

/** The object that only tells what a store is like. @param id of what asks */
export const trialOf = (organizationId: string, id: string, place?: Place): string =>
  keyOf(organizationId, `test-${id}`, place);

/** A file that is going to be in the store of its row, whatever store is chosen meanwhile. */
export interface BegunFile {
  id: string;
  place: Place;
}

/** Notes down that a file is going to be uploaded. @throws Refusal too_many_files */
export async function beginUpload(purpose: UploadPurpose, uploadedBy: string): Promise<BegunFile> {
  const { count } = await oneRow<{ count: number }>(
    `SELECT count(*)::int FROM stored_files
      WHERE organization_id = $1 AND uploaded_by = $2 AND created_at > now() - interval '1 day'
        AND purpose = ANY($3)`,
    [currentOrganization(), uploadedBy, UPLOAD_PURPOSES],
  );
  if (count >= MOST_A_DAY) throw fileErrors.too_many_files();
  return beginFile(purpose, uploadedBy);
}

/** Notes down that a file is going to be written for somebody. */
export async function beginFile(purpose: FilePurpose, uploadedBy: string | null): Promise<BegunFile> {
  const { id, storage_config_id } = await oneRow<{ id: string; storage_config_id: string | null }>(
    `INSERT INTO stored_files (organization_id, purpose, uploaded_by, storage_config_id)
     SELECT $1, $2, $3, (SELECT id FROM storage_configs WHERE organization_id = $1 AND is_active)
     RETURNING id, storage_config_id`,
    [currentOrganization(), purpose, uploadedBy],
  );
  return { id, place: await placeOf(storage_config_id) };
}

const SHOWN = `id, purpose, uploaded_by, name, media_type, size_bytes, sha256, created_at, status = 'held' AS is_being_checked`;

/**
 * The bytes are in the store. What strangers give is held, where there is a scanner, until that has spoken.
 * @throws Refusal storage_unavailable when they have taken so long that they were removed
 */
export async function keepUpload(id: string, { name, media_type, size_bytes, sha256 }: FileFacts): Promise<StoredFile> {
  const kept = await firstRow<{ file: StoredFile }>(
    `WITH kept AS (
       UPDATE stored_files SET name = $3, media_type = $4, size_bytes = $5, sha256 = $6, kept_at = now(),
              status = CASE WHEN purpose = ANY ($7) THEN 'held' ELSE 'kept' END,
              scan = CASE WHEN purpose = ANY ($7) THEN 'waiting' END
        WHERE organization_id = $1 AND id = $2 AND status = 'uploading' RETURNING ${SHOWN})
     SELECT to_json(kept) AS file FROM kept`,
    [currentOrganization(), id, name, media_type, size_bytes, sha256, config.clamd ? SCANNED : []],
  );
  if (!kept) throw fileErrors.storage_unavailable();
  const after = { purpose: kept.file.purpose, media_type, size_bytes, sha256 };
  await audit({ action: 'stored_file.uploaded', subjectType: 'stored_file', subjectId: id, after });
  if (kept.file.is_being_checked) await enqueue(scanFile, { fileId: id });
  return kept.file;
}

/** What did not become a file is removed by the next sweep, whether or not any of it is in the store. */
export const giveUpUpload = (id: string): Promise<unknown> =>
  rows(`UPDATE stored_files SET status = 'removing' WHERE organization_id = $1 AND id = $2 AND status = 'uploading'`, [
    currentOrganization(),
    id,
  ]);

/** What was drawn for somebody was handed out: the next sweep takes it. */
export const letGo = (id: string): Promise<unknown> =>
  rows(
    `UPDATE stored_files SET status = 'removing'
      WHERE organization_id = $1 AND id = $2 AND purpose = 'drawn_document' AND status = 'kept'`,
    [currentOrganization(), id],
  );

/** A file that is there, or null; whether anybody may read it, `locateFile` says. */
export async function findFile(id: string): Promise<StoredFile | null> {
  const found = await firstRow<{ file: StoredFile }>(
    `SELECT to_json(f) AS file FROM (
       SELECT ${SHOWN} FROM stored_files WHERE organization_id = $1 AND id = $2 AND status IN ('held', 'kept')) f`,
    [currentOrganization(), id],
  );
  return found?.file ?? null;
}

export type LocatedFile = StoredFile & { place: Place };

/** The same, with the store that it lies in: whoever reads it asks here. @throws Refusal file_not_checked of what is held */
export async function locateFile(id: string): Promise<LocatedFile | null> {
  const file = await findFile(id);
  if (file?.is_being_checked) throw fileErrors.file_not_checked();
  return file && { ...file, place: await placeOfFile(id) };
}

/**
 * A document goes with a request, and with one only. From now on the sweep leaves it.
 * @throws Refusal validation_error, whatever it is that is not theirs to show
 */
export async function showDocument(id: string, userId: string): Promise<void> {
  const shown = await firstRow(
    `UPDATE stored_files SET shown_at = now()
      WHERE organization_id = $1 AND id = $2 AND uploaded_by = $3 AND purpose = 'request_document'
        AND status IN ('held', 'kept') AND shown_at IS NULL RETURNING id`,
    [currentOrganization(), id, userId],
  );
  if (!shown) throw invalid('document', 'There is no such document of yours that goes with nothing else.');
}

/** What somebody has shown of themselves goes with the account. @returns how many files */
export async function removeDocumentsOf(userId: string): Promise<number> {
  const removed = await rows(
    `UPDATE stored_files SET status = 'removing', name = NULL
      WHERE organization_id = $1 AND uploaded_by = $2 AND purpose = 'request_document' AND status <> 'removing'
      RETURNING id`,
    [currentOrganization(), userId],
  );
  return removed.length;
}
