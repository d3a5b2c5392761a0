/** The step that draws a document: one at a time in a worker, since each takes memory while it is drawn. */
import { Readable } from 'node:stream';
import { accountPdf } from '../../gateways/documents/account.js';
import { inTenant } from '../../models/database/tenancy.js';
import { beginDocument, keepDocument } from '../../models/finances/documents/drawDocument.js';
import type { DrawDocumentInput } from '../../workflows/contracts/drawDocument.js';
import { storeTable } from '../storedTables.js';

let last: Promise<unknown> = Promise.resolve();

/** Runs after all that came before it. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work);
  last = done.catch(() => undefined);
  return done;
}

/**
 * Draws a document and puts it into the store. Run again it leaves the one that is there; what an earlier try has left is swept.
 * @throws StorageUnavailable, RowMissing
 */
export const drawStoredDocument = (input: DrawDocumentInput): Promise<void> => inTurn(() => draw(input));

async function draw({ organizationId, documentId }: DrawDocumentInput): Promise<void> {
  const begun = await inTenant(organizationId, () => beginDocument(documentId));
  if (!begun) return;
  const { file, name, document } = begun;
  const bytes = Readable.from([await accountPdf(document)]);
  await storeTable(organizationId, file, bytes, (facts) =>
    keepDocument(documentId, file.id, { name, media_type: 'application/pdf', ...facts }),
  );
}
