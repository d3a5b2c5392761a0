import { currentOrganization, oneRow } from '../../database/rows.js';

/** Deletes a person's profile and demographics in the organization. @returns how many rows */
export async function removeProfile(userId: string): Promise<number> {
  const { count } = await oneRow<{ count: number }>(
    `WITH profiles AS (DELETE FROM member_profiles WHERE organization_id = $1 AND user_id = $2 RETURNING 1),
          demographics AS (DELETE FROM member_demographics WHERE organization_id = $1 AND user_id = $2 RETURNING 1)
     SELECT (SELECT count(*) FROM profiles)::int + (SELECT count(*) FROM demographics)::int AS count`,
    [currentOrganization(), userId],
  );
  return count;
}
