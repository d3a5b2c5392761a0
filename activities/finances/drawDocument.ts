/** The step that draws a document: one at a time in a worker, since each takes memory while it is drawn. */
import { Readable } from 'node:stream';
import { accountPdf } from '../../gateways/documents/account.js';
import { inTenant } from '../../models/database/tenancy.js';
import { beginDocument, keepDocument } from '../../models/finances/documents/drawDocument.js';
import type { DrawDocumentInput } from '../../workflows/contracts/drawDocument.js';
import { storeTable } from '../storedTables.js';

const last = new Map<string, Promise<unknown>>();

/** Runs after all of the same that came before it. */
function inTurn<T>(of: string, work: () => Promise<T>): Promise<T> {
  const done = (last.get(of) ?? Promise.resolve()).then(work);
  const over = done
    .catch(() => undefined)
    .finally(() => {
      if (last.get(of) === over) last.delete(of);
    });
  last.set(of, over);
  return done;
}

/** Of all organizations. */
const DRAWING = 'drawing';

/**
 * Draws a document and puts it into the store, which may be slow: nobody waits for that of another organization. Run again it
 * leaves the one that is there; what an earlier try has left is swept.
 * @throws StorageUnavailable, RowMissing
 */
export const drawStoredDocument = (input: DrawDocumentInput): Promise<void> =>
  inTurn(input.organizationId, () => draw(input));

async function draw({ organizationId, documentId }: DrawDocumentInput): Promise<void> {
  const begun = await inTenant(organizationId, () => beginDocument(documentId));
  if (!begun) return;
  const { file, name, document } = begun;
  const bytes = Readable.from([await inTurn(DRAWING, () => accountPdf(document))]);
  await storeTable(organizationId, file, bytes, (facts) =>
    keepDocument(documentId, file.id, { name, media_type: 'application/pdf', ...facts }),
  );
}
