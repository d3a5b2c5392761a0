import { currentOrganization, firstRow } from '../../database/rows.js';
import { publishThreadRead, type ThreadKey } from '../topics.js';

/** Marks a thread as read for a person, and signals it to the person's other devices. */
export async function readThread(thread: ThreadKey, userId: string): Promise<void> {
  if (await markThreadRead(thread.postId, userId)) publishThreadRead(thread, userId);
}

/**
 * Marks a thread as read up to its last activity. The mark never moves backwards.
 * @returns whether it moved
 */
export const markThreadRead = async (postId: string, userId: string): Promise<boolean> =>
  (await firstRow(
    `INSERT INTO forum_reads AS r (organization_id, post_id, user_id, read_until)
     SELECT p.organization_id, p.id, $3, p.last_activity_at FROM forum_posts p WHERE p.organization_id = $1 AND p.id = $2
     ON CONFLICT (organization_id, post_id, user_id) DO UPDATE SET read_until = excluded.read_until
     WHERE r.read_until < excluded.read_until RETURNING 1 AS moved`,
    [currentOrganization(), postId, userId],
  )) !== null;
