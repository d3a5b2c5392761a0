import { currentOrganization, firstRow } from '../../database/rows.js';

/**
 * Finds the request that a document is attached to.
 * @returns null if there is none; otherwise the chapter whose officers may read the document, and a null `chapter_id`
 * if the officers' tier was skipped
 */
export const findRequestOfDocument = (documentId: string): Promise<{ chapter_id: string | null } | null> =>
  firstRow<{ chapter_id: string | null }>(
    `SELECT CASE WHEN NOT first_tier_skipped THEN chapter_id END AS chapter_id FROM status_change_requests
      WHERE organization_id = $1 AND document_id = $2`,
    [currentOrganization(), documentId],
  );
