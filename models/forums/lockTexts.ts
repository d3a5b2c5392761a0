/** Loads and locks posts and comments for a change: always the post before its comment. */
import { lockForEdit } from '../database/model/change.js';
import { loadIfExists } from '../database/model/read.js';
import { oneRow } from '../database/rows.js';
import { refuse } from '../errors.js';
import { ForumComment } from './comments/ForumComment.js';
import { forumErrors } from './errors.js';
import { ForumPost } from './posts/ForumPost.js';
import type { ForumText } from './textIds.js';
import type { ForumRole } from './vocabulary.js';

/** The ids of a post, or of a comment on it. */
export interface TextKey {
  forumId: string;
  postId: string;
  commentId?: string | null | undefined;
}

/** A person with their role in the forum. */
export interface Viewer {
  userId: string;
  role: ForumRole;
}

/** Loads and locks a post, or its placeholder, that the viewer sees. @throws Refusal not_found */
export async function lockPostOrPlaceholder(forumId: string, id: string, { userId, role }: Viewer): Promise<ForumPost> {
  const post = await lockForEdit(ForumPost, { id, forum_id: forumId });
  const { shown } = await oneRow<{ shown: boolean }>('SELECT app.sees_forum_text($1, $2, $3, $4) AS shown', [
    post.status,
    post.author_id,
    userId,
    role,
  ]);
  if (!shown) throw refuse.not_found();
  return post;
}

/** Loads and locks a post that is not deleted. @throws Refusal not_found, text_deleted */
export async function lockPost(forumId: string, id: string, viewer: Viewer): Promise<ForumPost> {
  const post = await lockPostOrPlaceholder(forumId, id, viewer);
  if (post.deleted_at !== null) throw forumErrors.text_deleted();
  return post;
}

/** Loads and locks a comment, or its placeholder, that the viewer sees, after its post. @throws Refusal not_found */
export async function lockComment(
  { forumId, postId, commentId }: TextKey & { commentId: string },
  { userId, role }: Viewer,
): Promise<ForumComment> {
  const post = await lockForEdit(ForumPost, { id: postId, forum_id: forumId });
  const comment = await lockForEdit(ForumComment, { id: commentId, forum_id: forumId, post_id: postId });
  const { shown } = await oneRow<{ shown: boolean }>(
    'SELECT app.sees_forum_comments($1, $2, $5, $6) AND app.sees_forum_text($3, $4, $5, $6) AS shown',
    [post.status, post.author_id, comment.status, comment.author_id, userId, role],
  );
  if (!shown) throw refuse.not_found();
  return comment;
}

/** Loads and locks a post or a comment, or its placeholder, that the viewer sees. @throws Refusal not_found */
export const lockText = ({ commentId, ...key }: TextKey, viewer: Viewer): Promise<ForumText> =>
  commentId == null
    ? lockPostOrPlaceholder(key.forumId, key.postId, viewer)
    : lockComment({ ...key, commentId }, viewer);

/** Finds a post or a comment by its id. */
export const findText = async (id: string): Promise<ForumText | null> =>
  (await loadIfExists(ForumPost, id)) ?? loadIfExists(ForumComment, id);
