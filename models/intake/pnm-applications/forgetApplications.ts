import { currentOrganization, rows } from '../../database/rows.js';

/** What was sent with addresses that were somebody's is gone, whatever came of it. @returns how many applications */
export const forgetApplications = async (addresses: readonly string[]): Promise<number> =>
  (
    await rows('DELETE FROM pnm_applications WHERE organization_id = $1 AND email = ANY ($2) RETURNING id', [
      currentOrganization(),
      addresses,
    ])
  ).length;
