import { currentOrganization, oneRow } from '../../database/rows.js';

/** What somebody said of themselves here is gone, to all and to few. @returns how many rows */
export async function removeProfile(userId: string): Promise<number> {
  const { count } = await oneRow<{ count: number }>(
    `WITH profiles AS (DELETE FROM member_profiles WHERE organization_id = $1 AND user_id = $2 RETURNING 1),
          demographics AS (DELETE FROM member_demographics WHERE organization_id = $1 AND user_id = $2 RETURNING 1)
     SELECT (SELECT count(*) FROM profiles)::int + (SELECT count(*) FROM demographics)::int AS count`,
    [currentOrganization(), userId],
  );
  return count;
}
