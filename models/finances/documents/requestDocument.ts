import { drawDocument } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { loadIfExists } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { releaseDrawnDocument, type LocatedFile, locateFile } from '../../organizations/files/storedFiles.js';
import { financesErrors } from '../errors.js';
import { type DocumentRequest, DrawnDocument } from './DrawnDocument.js';

/** Time during which a finished document is reused. */
const REUSE_INTERVAL = "interval '10 minutes'";
/** Maximum documents in progress per person. */
const MAX_CONCURRENT_DOCUMENTS = 3;

export interface DocumentJob {
  documentId: string;
  workflowId: string;
}

const toJob = (documentId: string): DocumentJob => ({
  documentId,
  workflowId: drawDocument.workflowId({ organizationId: currentOrganization(), documentId }),
});

/**
 * Finds the caller's recent or running document for the same request, or starts a new one. Concurrent requests start
 * only one document.
 * @throws Refusal documents_under_way
 */
export async function requestDocument(request: DocumentRequest): Promise<DocumentJob> {
  const values = [currentOrganization(), currentScope().origin.userId, JSON.stringify(request)];
  await oneRow(`SELECT pg_advisory_xact_lock(hashtextextended('drawn documents ' || $1 || $2, 0))`, values.slice(0, 2));
  const existing = await firstRow<{ id: string; file_id: string | null }>(
    `SELECT id, file_id FROM drawn_documents
      WHERE organization_id = $1 AND requested_by = $2 AND request = $3 AND (drawn_at IS NULL OR drawn_at > now() - ${REUSE_INTERVAL})
      ORDER BY created_at DESC LIMIT 1`,
    values,
  );
  if (existing && (existing.file_id === null || (await locateFile(existing.file_id)))) return toJob(existing.id);
  const created = await firstRow<{ id: string }>(
    `INSERT INTO drawn_documents (organization_id, requested_by, request)
     SELECT $1, $2, $3 WHERE (SELECT count(*) FROM drawn_documents
       WHERE organization_id = $1 AND requested_by = $2 AND drawn_at IS NULL) < ${MAX_CONCURRENT_DOCUMENTS} RETURNING id`,
    values,
  );
  if (!created) throw financesErrors.documents_under_way();
  await enqueue(drawDocument, { documentId: created.id });
  return toJob(created.id);
}

/** Finds the file of a document; null until it is complete. */
export async function findDocumentFile(documentId: string): Promise<LocatedFile | null> {
  const document = await loadIfExists(DrawnDocument, documentId);
  return document?.file_id ? locateFile(document.file_id) : null;
}

/** Releases a delivered document: the next sweep deletes its file and its row. */
export const releaseDocument = ({ id }: LocatedFile): Promise<unknown> => releaseDrawnDocument(id);
