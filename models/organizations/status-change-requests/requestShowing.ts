import { currentOrganization, firstRow } from '../../database/rows.js';

/**
 * The request that a document goes with, or null.
 * @returns the chapter whose officers look at it; null where it has passed them by
 */
export const requestShowing = (documentId: string): Promise<{ chapter_id: string | null } | null> =>
  firstRow<{ chapter_id: string | null }>(
    `SELECT CASE WHEN NOT first_tier_skipped THEN chapter_id END AS chapter_id FROM status_change_requests
      WHERE organization_id = $1 AND document_id = $2`,
    [currentOrganization(), documentId],
  );
