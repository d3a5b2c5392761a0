import { currentOrganization, rows } from '../../database/rows.js';

/** What somebody said of themselves here is gone. @returns how many profiles: one, or none */
export const removeProfile = async (userId: string): Promise<number> =>
  (
    await rows('DELETE FROM member_profiles WHERE organization_id = $1 AND user_id = $2 RETURNING id', [
      currentOrganization(),
      userId,
    ])
  ).length;
