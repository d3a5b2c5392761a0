import { announceAtOnce } from '../database/announcements.js';
import { lastRows } from '../database/keptRows.js';
import { currentOrganization, type Statement } from '../database/rows.js';
import { MOST_READ_NAMED, readBy } from './realtime/announcements.js';
import { COUNTED } from './counts.js';
import { LISTED } from './listNotifications.js';

export interface Marked {
  updated: number;
  unread_count: number;
}

/**
 * Marks what somebody has seen, in one statement: what arrives meanwhile stays unread. Ids of others' and of nobody's
 * change nothing and tell nothing. Rows are locked in the order of ids, so that two devices do not wait in a circle.
 * @param ids null: all
 */
export const markingRead = (userId: string, ids: readonly string[] | null): Statement => ({
  text: `WITH seen AS (
       SELECT n.id FROM notifications n WHERE ${LISTED} AND n.read_at IS NULL
          ${ids ? 'AND n.id = ANY($2::uuid[])' : ''} ORDER BY n.id FOR NO KEY UPDATE),
     marked AS (
       UPDATE notifications n SET read_at = now() FROM seen
        WHERE n.organization_id = (SELECT app.org_id()) AND n.id = seen.id AND n.read_at IS NULL RETURNING n.id)
     SELECT (SELECT count(*) FROM marked)::int AS updated,
            ${
              // Those that are meant are read now, whoever was first.
              ids ? `((${COUNTED}) - (${COUNTED} AND n.id = ANY($2::uuid[])))` : '0'
            } AS unread_count,
            (SELECT CASE WHEN count(*) <= ${MOST_READ_NAMED} THEN array_agg(id) END FROM marked) AS read`,
  values: [userId, ...(ids ? [ids] : [])],
  kept: true,
});

/** Marks in the open transaction, and ends it. */
export async function markRead(userId: string, ids: readonly string[] | null): Promise<Marked> {
  const { text, values } = markingRead(userId, ids);
  const [found] = await lastRows(text, values);
  return markedRead(userId, currentOrganization(), found as Record<string, unknown>);
}

/** What `markingRead` has found, once it is committed. */
export function markedRead(userId: string, organizationId: string, found: Record<string, unknown>): Marked {
  const { read, ...marked } = found as unknown as Marked & { read: string[] | null };
  if (marked.updated > 0) announceAtOnce(readBy(userId, organizationId, read));
  return marked;
}
