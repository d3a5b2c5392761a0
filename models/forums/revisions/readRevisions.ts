/** Reads the earlier words of posts and comments. */
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import type { TextKey } from '../lockTexts.js';
import { commentsAreShown, isShown, roleSql, type TextAuthor } from '../textColumns.js';

export interface RevisionJson {
  version: number;
  /** Null for a comment. */
  title: string | null;
  body: string;
  body_html: string;
  replaced_by: TextAuthor;
  replaced_at: string;
}

const ROLE = roleSql('$4', '$2');

/** Finds the author of a text that the user sees. @throws Refusal not_found */
export const findAuthor = async (
  { forumId, postId, commentId = null }: TextKey,
  userId: string,
): Promise<{ user_id: string }> =>
  requireFound(
    await firstRow<{ user_id: string }>(
      `SELECT t.author_id AS user_id FROM ${
        commentId === null
          ? `forum_posts t WHERE t.id = $3 AND $5::uuid IS NULL`
          : `forum_comments t WHERE t.post_id = $3 AND t.id = $5 AND ${commentsAreShown('$3', '$2', '$4', ROLE)}`
      } AND t.organization_id = $1 AND t.forum_id = $2 AND ${isShown('$4', ROLE)}`,
      [currentOrganization(), forumId, postId, userId, commentId],
    ),
  );

/** Lists the revisions of a text, the newest first. A deleted text has none. @throws Refusal page_not_found */
export const listRevisions = ({ postId, commentId = null }: TextKey, page: PageRequest): Promise<Page<RevisionJson>> =>
  selectPage<RevisionJson>({
    from: 'forum_revisions r',
    key: 'r.id',
    where: `r.organization_id = (SELECT app.org_id()) AND r.text_id = $1 AND EXISTS (
      SELECT FROM ${commentId === null ? 'forum_posts' : 'forum_comments'} t
       WHERE t.organization_id = (SELECT app.org_id()) AND t.id = $1 AND t.deleted_at IS NULL)`,
    values: [commentId ?? postId],
    orderBy: 'r.version DESC',
    select: `r.version, r.title, r.body, r.body_html,
      json_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name) AS replaced_by, r.replaced_at`,
    join: 'JOIN users u ON u.id = r.replaced_by',
    ...page,
  });
