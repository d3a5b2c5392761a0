/** Columns of a post that are computed from its comments. The caller has locked the post. */
import { currentOrganization, rows } from '../../database/rows.js';

/** Adds or removes one comment of a locked post. A new comment is activity of the thread. */
export const countComment = (id: string, change: 1 | -1): Promise<unknown> =>
  rows(
    `UPDATE forum_posts SET comment_count = comment_count + $3,
            last_activity_at = CASE WHEN $3 > 0 THEN clock_timestamp() ELSE last_activity_at END
      WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), id, change],
  );

/** Counts the published comments of a locked post again, and its last activity, after a decision about one of its texts. */
export const recountThread = (id: string): Promise<unknown> =>
  rows(
    `UPDATE forum_posts p SET comment_count = shown.count,
            last_activity_at = coalesce(greatest(p.published_at, shown.last), p.last_activity_at)
       FROM (SELECT count(*) FILTER (WHERE deleted_at IS NULL)::int AS count, max(published_at) AS last
               FROM forum_comments WHERE organization_id = $1 AND post_id = $2 AND status = 'published') shown
      WHERE p.organization_id = $1 AND p.id = $2
        AND (p.comment_count, p.last_activity_at) IS DISTINCT FROM
            (shown.count, coalesce(greatest(p.published_at, shown.last), p.last_activity_at))`,
    [currentOrganization(), id],
  );
