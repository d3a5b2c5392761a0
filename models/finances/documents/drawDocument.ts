/**
 * The database steps of the workflow that creates a document. Each attempt of the workflow writes its own file, and the
 * first file that is completed becomes the document.
 */
import { changeRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { RowMissing } from '../../errors.js';
import {
  type NewFile,
  beginFile,
  type FileFacts,
  abandonUpload,
  completeUpload,
} from '../../organizations/files/storedFiles.js';
import { DrawnDocument } from './DrawnDocument.js';
import { fileNameOf, readDocument } from './readDocument.js';

export interface DocumentDraft {
  file: NewFile;
  name: string;
  document: Awaited<ReturnType<typeof readDocument>>;
}

/**
 * Reads the content of a document and creates the record of its file.
 * @returns null when the document is already complete
 * @throws RowMissing
 */
export async function beginDocument(id: string): Promise<DocumentDraft | null> {
  const row = await loadIfExists(DrawnDocument, id);
  if (!row) throw new RowMissing('There is no such document.');
  if (row.drawn_at) return null;
  const document = await readDocument(row.request);
  return {
    file: await beginFile('drawn_document', row.requested_by),
    name: `${fileNameOf(row.request)}.pdf`,
    document,
  };
}

/** Completes a document with an uploaded file, unless another attempt has completed it. */
export async function completeDocument(id: string, fileId: string, facts: FileFacts): Promise<void> {
  if (!(await lockForEditIfExists(DrawnDocument, { id, drawn_at: null }))) return void (await abandonUpload(fileId));
  await completeUpload(fileId, facts);
  await changeRow(DrawnDocument, id, { file_id: fileId, drawn_at: now });
}
