import { currentOrganization, rows } from '../../database/rows.js';

/** What somebody said of themselves to an organization that they were to join is gone; that they crossed stays. @returns how many profiles */
export const forgetProspect = async (userId: string): Promise<number> =>
  (
    await rows(
      `DELETE FROM pnm_profiles WHERE organization_id = $1
          AND membership_id IN (SELECT id FROM memberships WHERE organization_id = $1 AND user_id = $2) RETURNING id`,
      [currentOrganization(), userId],
    )
  ).length;
