import { currentOrganization, rows } from '../../database/rows.js';

/** Marks a thread as read up to its last activity. The mark never moves backwards. */
export const markThreadRead = (postId: string, userId: string): Promise<unknown> =>
  rows(
    `INSERT INTO forum_reads AS r (organization_id, post_id, user_id, read_until)
     SELECT p.organization_id, p.id, $3, p.last_activity_at FROM forum_posts p WHERE p.organization_id = $1 AND p.id = $2
     ON CONFLICT (organization_id, post_id, user_id) DO UPDATE SET read_until = excluded.read_until
     WHERE r.read_until < excluded.read_until`,
    [currentOrganization(), postId, userId],
  );
