import { announceCommitted } from '../database/announcements.js';
import { queryAndCommit } from '../database/preparedQuery.js';
import { currentOrganization, rows, type Statement } from '../database/rows.js';
import { announceRead, MAX_READ_IDS, readAnnouncements } from './realtime/announcements.js';
import { UNREAD_COUNT } from './counts.js';
import type { Subject } from './hasAnyRecipient.js';
import { IS_LISTED } from './listNotifications.js';

export interface MarkReadResult {
  updated: number;
  unread_count: number;
}

/**
 * Returns the statement that marks a person's notifications as read. Ids that are unknown or belong to other people are
 * ignored, and notifications that arrive meanwhile stay unread. Rows are locked in the order of ids, so that requests
 * from two devices do not deadlock.
 * @param ids the notifications to mark; null for all
 */
const markReadStatement = (userId: string, ids: readonly string[] | null): Statement => ({
  text: `WITH seen AS (
       SELECT n.id FROM notifications n WHERE ${IS_LISTED} AND n.read_at IS NULL
          ${ids ? 'AND n.id = ANY($2::uuid[])' : ''} ORDER BY n.id FOR NO KEY UPDATE),
     marked AS (
       UPDATE notifications n SET read_at = now() FROM seen
        WHERE n.organization_id = (SELECT app.org_id()) AND n.id = seen.id AND n.read_at IS NULL RETURNING n.id)
     SELECT (SELECT count(*) FROM marked)::int AS updated,
            ${
              // Counts the unread notifications, except the named ones. The named ones are read after this statement,
              // even if a concurrent request and not this one marks them.
              ids ? `((${UNREAD_COUNT}) - (${UNREAD_COUNT} AND n.id = ANY($2::uuid[])))` : '0'
            } AS unread_count,
            (SELECT CASE WHEN count(*) <= ${MAX_READ_IDS} THEN array_agg(id) END FROM marked) AS read`,
  values: [userId, ...(ids ? [ids] : [])],
  prepared: true,
});

/** Marks notifications as read, commits the open transaction, and announces the result to connected clients. */
export async function markRead(userId: string, ids: readonly string[] | null): Promise<MarkReadResult> {
  const { text, values } = markReadStatement(userId, ids);
  const [row] = await queryAndCommit(text, values);
  const { read, ...marked } = row as unknown as MarkReadResult & { read: string[] | null };
  if (marked.updated > 0) announceCommitted(readAnnouncements(userId, currentOrganization(), read));
  return marked;
}

/** Marks a person's notifications about a subject as read, except withdrawn ones, which the person does not see. */
export async function markSubjectRead(userId: string, { type, id }: Subject): Promise<void> {
  const marked = await rows<{ id: string }>(
    `WITH seen AS (
       SELECT id FROM notifications
        WHERE organization_id = $1 AND subject_id = $2 AND subject_type = $3 AND recipient_id = $4 AND read_at IS NULL
          AND unlisted_reason IS DISTINCT FROM 'withdrawn'
        ORDER BY id FOR NO KEY UPDATE)
     UPDATE notifications n SET read_at = now() FROM seen
      WHERE n.organization_id = $1 AND n.id = seen.id RETURNING n.id`,
    [currentOrganization(), id, type, userId],
  );
  if (marked.length === 0) return;
  announceRead(userId, marked.length > MAX_READ_IDS ? null : marked.map((row) => row.id));
}
