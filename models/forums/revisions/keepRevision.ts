import { currentOrganization, rows } from '../../database/rows.js';
import { type ForumText, idsOfText } from '../textIds.js';

/** Maximum number of revisions of a text. */
export const MAX_REVISIONS = 50;

/** Keeps the words of a locked text that an edit is about to replace, and deletes the oldest revision above the maximum. */
export async function keepRevision(text: ForumText, userId: string): Promise<void> {
  const { post_id: postId, comment_id: commentId } = idsOfText(text);
  await rows(
    `WITH kept AS (
       INSERT INTO forum_revisions (organization_id, post_id, comment_id, version, title, body, body_html, replaced_by)
       SELECT t.organization_id, $3, $4, t.version, ${commentId === null ? 't.title' : 'NULL'}, t.body, t.body_html, $5
         FROM ${commentId === null ? 'forum_posts' : 'forum_comments'} t WHERE t.organization_id = $1 AND t.id = $2)
     DELETE FROM forum_revisions WHERE organization_id = $1 AND id IN (
       SELECT r.id FROM forum_revisions r WHERE r.organization_id = $1 AND r.text_id = $2
        ORDER BY r.version DESC OFFSET ${MAX_REVISIONS - 1})`,
    [currentOrganization(), text.id, postId, commentId, userId],
  );
}
