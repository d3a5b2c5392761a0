import { limitOf, type Page, type PageRequest, type PageText, requirePage } from '../../database/page.js';
import { currentOrganization, oneRow } from '../../database/rows.js';

/** A person's subscription to a forum or a thread. */
export interface OwnSubscriptionJson {
  forum: { id: string; name: string };
  /** Null for the forum. The title is null once the post is deleted. */
  post: { id: string; title: string | null } | null;
  /** Null for a thread. */
  new_posts: boolean | null;
  replies: boolean;
  /** Whether the person has muted the thread. */
  muted: boolean;
}

/**
 * Lists the subscriptions of a person in the forums and threads that the person sees, by the name of the forum: that of the
 * forum first, then the threads, the newest first. The role is evaluated once per forum.
 * @throws Refusal page_not_found
 */
export async function listSubscriptions(userId: string, page: PageRequest): Promise<Page<OwnSubscriptionJson>> {
  const { limit, values } = limitOf(page, [currentOrganization(), userId]);
  const { count, results } = await oneRow<PageText>(
    `WITH seen AS MATERIALIZED (
       SELECT f.id, f.name, own.role
         FROM (SELECT DISTINCT s.forum_id FROM forum_subscriptions s WHERE s.organization_id = $1 AND s.user_id = $2) mine
         JOIN forums f ON f.organization_id = $1 AND f.id = mine.forum_id
        CROSS JOIN LATERAL (SELECT app.forum_role($1, $2, f.id) AS role OFFSET 0) own WHERE own.role IS NOT NULL),
     listed AS MATERIALIZED (
       SELECT seen.id AS forum_id, seen.name, p.id AS post_id, CASE WHEN p.deleted_at IS NULL THEN p.title END AS title,
              s.new_posts, s.replies
         FROM forum_subscriptions s JOIN seen ON seen.id = s.forum_id
         LEFT JOIN forum_posts p ON p.organization_id = $1 AND p.id = s.post_id
        WHERE s.organization_id = $1 AND s.user_id = $2
          AND (p.id IS NULL OR app.sees_forum_text(p.status, p.author_id, $2, seen.role)))
     SELECT (SELECT count(*)::int FROM listed) AS count, (SELECT coalesce(json_agg(one)::text, '[]') FROM (
       SELECT json_build_object('id', forum_id, 'name', name) AS forum,
              CASE WHEN post_id IS NOT NULL THEN json_build_object('id', post_id, 'title', title) END AS post,
              new_posts, replies,
              EXISTS (SELECT FROM notification_mutes m WHERE m.organization_id = $1 AND m.user_id = $2
                        AND m.subject_type = 'forum_post' AND m.subject_id = post_id) AS muted
         FROM listed ORDER BY name, forum_id, post_id DESC NULLS FIRST ${limit}) one) AS results`,
    values,
  );
  const list = { count, results: JSON.parse(results) as OwnSubscriptionJson[] };
  requirePage(page.page, list.results);
  return list;
}
