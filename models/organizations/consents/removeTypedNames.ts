import { currentOrganization, rows } from '../../database/rows.js';

/** What somebody typed when they agreed, and from where, is gone; that they did stays. @returns of how many records */
export const removeTypedNames = async (userId: string): Promise<number> =>
  (
    await rows('DELETE FROM consent_record_values WHERE organization_id = $1 AND user_id = $2 RETURNING record_id', [
      currentOrganization(),
      userId,
    ])
  ).length;
