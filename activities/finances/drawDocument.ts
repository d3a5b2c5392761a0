/** Renders documents, one at a time per worker, because rendering needs much memory. */
import { Readable } from 'node:stream';
import { accountPdf } from '../../gateways/documents/account.js';
import { inTenant } from '../../models/database/tenancy.js';
import { beginDocument, completeDocument } from '../../models/finances/documents/drawDocument.js';
import type { DrawDocumentInput } from '../../workflows/contracts/drawDocument.js';
import { storeTable } from '../storedTables.js';

const lastByKey = new Map<string, Promise<unknown>>();

/** Runs `work` after all earlier work with the same key. */
function runSerially<T>(key: string, work: () => Promise<T>): Promise<T> {
  const result = (lastByKey.get(key) ?? Promise.resolve()).then(work);
  const settled = result
    .catch(() => undefined)
    .finally(() => {
      if (lastByKey.get(key) === settled) lastByKey.delete(key);
    });
  lastByKey.set(key, settled);
  return result;
}

/** Key of the serial queue for rendering, which all organizations share. */
const RENDERING = 'drawing';

/**
 * Renders a document and uploads it. A slow store delays only its own organization. A second run leaves an existing
 * document unchanged. The cleanup schedule deletes files that earlier attempts left behind.
 */
export const drawStoredDocument = (input: DrawDocumentInput): Promise<void> =>
  runSerially(input.organizationId, () => draw(input));

async function draw({ organizationId, documentId }: DrawDocumentInput): Promise<void> {
  const begun = await inTenant(organizationId, () => beginDocument(documentId));
  if (!begun) return;
  const { file, name, document } = begun;
  const bytes = Readable.from([await runSerially(RENDERING, () => accountPdf(document))]);
  await storeTable(organizationId, file, bytes, (facts) =>
    completeDocument(documentId, file.id, { name, media_type: 'application/pdf', ...facts }),
  );
}
