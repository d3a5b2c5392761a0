/** Renders documents, one at a time per worker, because each needs much memory. */
import { Readable } from 'node:stream';
import { accountPdf } from '../../gateways/documents/account.js';
import { inTenant } from '../../models/database/tenancy.js';
import { beginDocument, keepDocument } from '../../models/finances/documents/drawDocument.js';
import type { DrawDocumentInput } from '../../workflows/contracts/drawDocument.js';
import { storeTable } from '../storedTables.js';

const last = new Map<string, Promise<unknown>>();

/** Runs work after all earlier work with the same key. */
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

/** One queue for all organizations. */
const DRAWING = 'drawing';

/**
 * Renders a document and uploads it. A slow store delays only its own organization. A second run keeps the existing
 * document; what an earlier try left behind is swept.
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
