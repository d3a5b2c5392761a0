/** What the process does to the row of a document: each try writes a file of its own, and one of them becomes the document's. */
import { changeRow, lockIfThere, now } from '../../database/model/change.js';
import { loadIfThere } from '../../database/model/read.js';
import { RowMissing } from '../../errors.js';
import {
  type BegunFile,
  beginFile,
  type FileFacts,
  giveUpUpload,
  keepUpload,
} from '../../organizations/files/storedFiles.js';
import { DrawnDocument } from './DrawnDocument.js';
import { nameOf, readDocument } from './readDocument.js';

export interface BegunDocument {
  file: BegunFile;
  name: string;
  document: Awaited<ReturnType<typeof readDocument>>;
}

/** What is to be drawn, read anew; null: it is drawn. @throws RowMissing */
export async function beginDocument(id: string): Promise<BegunDocument | null> {
  const row = await loadIfThere(DrawnDocument, id);
  if (!row) throw new RowMissing('There is no such document.');
  if (row.drawn_at) return null;
  const document = await readDocument(row.request);
  return { file: await beginFile('drawn_document', row.requested_by), name: `${nameOf(row.request)}.pdf`, document };
}

/** The bytes are in the store: the file is the document's, unless another try was faster. */
export async function keepDocument(id: string, fileId: string, facts: FileFacts): Promise<void> {
  if (!(await lockIfThere(DrawnDocument, { id, drawn_at: null }))) return void (await giveUpUpload(fileId));
  await keepUpload(fileId, facts);
  await changeRow(DrawnDocument, id, { file_id: fileId, drawn_at: now });
}
