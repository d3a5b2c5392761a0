import { currentOrganization, firstRow } from '../../database/rows.js';

/**
 * Returns the request that a document is attached to, or null.
 * @returns the chapter whose officers may read it; `chapter_id` is null if the officers' tier was skipped
 */
export const findRequestOfDocument = (documentId: string): Promise<{ chapter_id: string | null } | null> =>
  firstRow<{ chapter_id: string | null }>(
    `SELECT CASE WHEN NOT first_tier_skipped THEN chapter_id END AS chapter_id FROM status_change_requests
      WHERE organization_id = $1 AND document_id = $2`,
    [currentOrganization(), documentId],
  );
