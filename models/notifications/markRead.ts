import { lastRows } from '../database/keptRows.js';
import { currentOrganization } from '../database/rows.js';
import { announceRead, MOST_READ_NAMED } from './realtime/announcements.js';

export interface Marked {
  updated: number;
  unread_count: number;
}

/**
 * Marks what somebody has seen, in one statement: what arrives meanwhile stays unread. Ids of others' and of nobody's
 * change nothing and tell nothing. Rows are locked in the order of ids, so that two devices do not wait in a circle.
 * @param ids null: all
 */
export async function markRead(userId: string, ids: readonly string[] | null): Promise<Marked> {
  const [found] = await lastRows<Marked & { read: string[] | null }>(
    `WITH seen AS (
       SELECT id FROM notifications
        WHERE organization_id = $1 AND recipient_id = $2 AND unlisted_reason IS NULL AND read_at IS NULL
          ${ids ? 'AND id = ANY($3::uuid[])' : ''} ORDER BY id FOR NO KEY UPDATE),
     marked AS (
       UPDATE notifications n SET read_at = now() FROM seen
        WHERE n.organization_id = $1 AND n.id = seen.id AND n.read_at IS NULL RETURNING n.id)
     SELECT (SELECT count(*) FROM marked)::int AS updated,
            ${
              // Those that are meant are read now, whoever was first.
              ids
                ? `(SELECT count(*)::int FROM notifications WHERE organization_id = $1 AND recipient_id = $2
                AND unlisted_reason IS NULL AND read_at IS NULL AND id <> ALL($3::uuid[]))`
                : '0'
            } AS unread_count,
            (SELECT CASE WHEN count(*) <= ${MOST_READ_NAMED} THEN array_agg(id) END FROM marked) AS read`,
    [currentOrganization(), userId, ...(ids ? [ids] : [])],
  );
  const { read, ...marked } = found as Marked & { read: string[] | null };
  if (marked.updated > 0) announceRead(userId, read);
  return marked;
}
