/** Searches posts and comments. */
import { currentOrganization, rows } from '../../database/rows.js';
import type { TextAuthor } from '../textColumns.js';

export const MAX_FOUND = 25;

export interface FoundText {
  forum: { id: string; name: string };
  post: string;
  /** Null for a post. */
  comment: string | null;
  /** Title of the thread; null if its post is deleted. */
  title: string | null;
  author: TextAuthor;
  excerpt: string;
  created_at: string;
}

/**
 * Finds the newest texts in which all words occur, in the forums that a person sees.
 * @param forumId only in this forum; null: in all
 */
export const searchTexts = async (userId: string, words: string, forumId: string | null): Promise<FoundText[]> =>
  (
    await rows<{ found: FoundText }>(
      `SELECT json_build_object(
                'forum', json_build_object('id', f.id, 'name', f.name), 'post', p.id, 'comment', c.id,
                'title', CASE WHEN p.deleted_at IS NULL THEN p.title END,
                'author', json_build_object('id', a.id, 'first_name', a.first_name, 'last_name', a.last_name),
                'excerpt', left(CASE WHEN c.id IS NULL THEN p.body ELSE c.body END, 200),
                'created_at', found.created_at) AS found
         FROM app.search_forum_texts($1, $2, $3, ${MAX_FOUND}) found
         JOIN forums f ON f.organization_id = $4 AND f.id = found.forum_id
         JOIN forum_posts p ON p.organization_id = $4 AND p.id = found.post_id
         LEFT JOIN forum_comments c ON c.organization_id = $4 AND c.id = found.comment_id
         JOIN users a ON a.id = coalesce(c.author_id, p.author_id)
        WHERE app.forum_role(f.organization_id, $1, f.id) IS NOT NULL
        ORDER BY found.created_at DESC, found.post_id DESC, found.comment_id DESC`,
      [userId, words, forumId, currentOrganization()],
    )
  ).map(({ found }) => found);
