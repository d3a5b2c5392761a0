import { currentOrganization, rows } from '../../database/rows.js';

/**
 * Deletes the names that a person typed when they agreed, and their IP addresses. The consent records stay. @returns
 * the number of records
 */
export const removeTypedNames = async (userId: string): Promise<number> =>
  (
    await rows('DELETE FROM consent_record_values WHERE organization_id = $1 AND user_id = $2 RETURNING record_id', [
      currentOrganization(),
      userId,
    ])
  ).length;
