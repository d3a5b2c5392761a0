import { currentOrganization, oneRow, rows } from '../../database/rows.js';

/**
 * Erases the reasons that were given for a person's past and scheduled changes; the history itself stays.
 * @returns how many reasons there were
 */
export async function eraseReasons(userId: string): Promise<number> {
  const { count } = await oneRow<{ count: number }>('SELECT app.forget_reasons($1)::int AS count', [userId]);
  const planned = await rows(
    `UPDATE membership_scheduled_changes SET reason = NULL WHERE organization_id = $1 AND reason IS NOT NULL
        AND membership_id IN (SELECT id FROM memberships WHERE organization_id = $1 AND user_id = $2) RETURNING id`,
    [currentOrganization(), userId],
  );
  return count + planned.length;
}
