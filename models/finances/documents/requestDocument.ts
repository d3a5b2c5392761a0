import { drawDocument } from '../../../workflows/contracts/index.js';
import { currentScope } from '../../database/connection.js';
import { loadIfThere } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { letGo, type LocatedFile, locateFile } from '../../organizations/files/storedFiles.js';
import { financesErrors } from '../errors.js';
import { type DocumentRequest, DrawnDocument } from './DrawnDocument.js';

/** What was drawn may be fetched for so long. */
const FRESH = "interval '10 minutes'";
/** Documents that somebody has drawn at a time. */
const MOST_AT_ONCE = 3;

export interface Drawing {
  documentId: string;
  workflowId: string;
}

const drawingOf = (documentId: string): Drawing => ({
  documentId,
  workflowId: drawDocument.workflowId({ organizationId: currentOrganization(), documentId }),
});

/**
 * What was drawn of the same for the caller a moment ago, or is being drawn; else it begins.
 * Of ten at once one begins. @throws Refusal documents_under_way
 */
export async function requestDocument(request: DocumentRequest): Promise<Drawing> {
  const values = [currentOrganization(), currentScope().origin.userId, JSON.stringify(request)];
  await oneRow(`SELECT pg_advisory_xact_lock(hashtextextended('drawn documents ' || $1 || $2, 0))`, values.slice(0, 2));
  const known = await firstRow<{ id: string; file_id: string | null }>(
    `SELECT id, file_id FROM drawn_documents
      WHERE organization_id = $1 AND requested_by = $2 AND request = $3 AND (drawn_at IS NULL OR drawn_at > now() - ${FRESH})
      ORDER BY created_at DESC LIMIT 1`,
    values,
  );
  if (known && (known.file_id === null || (await locateFile(known.file_id)))) return drawingOf(known.id);
  const begun = await firstRow<{ id: string }>(
    `INSERT INTO drawn_documents (organization_id, requested_by, request)
     SELECT $1, $2, $3 WHERE (SELECT count(*) FROM drawn_documents
       WHERE organization_id = $1 AND requested_by = $2 AND drawn_at IS NULL) < ${MOST_AT_ONCE} RETURNING id`,
    values,
  );
  if (!begun) throw financesErrors.documents_under_way();
  await enqueue(drawDocument, { documentId: begun.id });
  return drawingOf(begun.id);
}

/** Its file, once it is there. */
export async function fileOfDocument(documentId: string): Promise<LocatedFile | null> {
  const drawn = await loadIfThere(DrawnDocument, documentId);
  return drawn?.file_id ? locateFile(drawn.file_id) : null;
}

/** It was handed out: the next sweep takes the file, and the row with it. */
export const forgetDocument = ({ id }: LocatedFile): Promise<unknown> => letGo(id);
