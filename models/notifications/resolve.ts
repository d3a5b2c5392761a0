import { currentOrganization, rows } from '../database/rows.js';
import { announceRead } from './realtime/announcements.js';

/**
 * Somebody has done what others were asked to do as well: for all of them it is read and dealt with, and what was still to
 * reach them does not. Rows are locked in the order of ids, as where they are marked as read.
 */
export async function resolveNotifications(subjectType: string, subjectId: string): Promise<void> {
  const resolved = await rows<{ user: string; ids: string[] }>(
    `WITH resolved AS (
     UPDATE notifications n SET read_at = coalesce(n.read_at, now()), resolved_at = now()
       FROM (SELECT id FROM notifications
              WHERE organization_id = $1 AND subject_id = $3 AND subject_type = $2 AND requires_action AND resolved_at IS NULL
              ORDER BY id FOR NO KEY UPDATE) open
      WHERE n.organization_id = $1 AND n.id = open.id RETURNING n.id, n.recipient_id)
     SELECT recipient_id AS "user", array_agg(id) AS ids FROM resolved GROUP BY recipient_id`,
    [currentOrganization(), subjectType, subjectId],
  );
  for (const { user, ids } of resolved) announceRead(user, ids);
}
