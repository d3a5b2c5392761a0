/** Loads and locks posts and comments for a change: always the post before its comment. */
import { lockForEdit } from '../database/model/change.js';
import { loadIfExists } from '../database/model/read.js';
import { refuse } from '../errors.js';
import { ForumComment } from './comments/ForumComment.js';
import { forumErrors } from './errors.js';
import type { TextEvent } from './mentions/mentions.js';
import { ForumPost } from './posts/ForumPost.js';
import type { ForumRole, TextStatus } from './vocabulary.js';

/** The ids of a post, or of a comment on it. */
export interface TextKey {
  forumId: string;
  postId: string;
  commentId?: string | null | undefined;
}

export type ForumText = ForumPost | ForumComment;

/** A person with their role in the forum. */
export interface Viewer {
  userId: string;
  role: ForumRole;
}

const isModerator = ({ role }: Viewer): boolean => role === 'moderator' || role === 'admin';

/** The rule of `app.sees_forum_text`. */
const isShown = ({ status, author_id }: { status: TextStatus; author_id: string }, { userId, role }: Viewer): boolean =>
  status === 'published' || status === 'removed' || author_id === userId || isModerator({ userId, role });

/** Loads and locks a post, or its placeholder, that the viewer sees. @throws Refusal not_found */
export async function lockPostOrPlaceholder(forumId: string, id: string, viewer: Viewer): Promise<ForumPost> {
  const post = await lockForEdit(ForumPost, { id, forum_id: forumId });
  if (!isShown(post, viewer)) throw refuse.not_found();
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
  viewer: Viewer,
): Promise<ForumComment> {
  const post = await lockPostOrPlaceholder(forumId, postId, viewer);
  const comment = await lockForEdit(ForumComment, { id: commentId, forum_id: forumId, post_id: postId });
  if (!isShown(comment, viewer) || (post.status === 'removed' && !isModerator(viewer))) throw refuse.not_found();
  return comment;
}

/** Loads and locks a post or a comment, or its placeholder, that the viewer sees. @throws Refusal not_found */
export const lockText = ({ commentId, ...key }: TextKey, viewer: Viewer): Promise<ForumText> =>
  commentId == null
    ? lockPostOrPlaceholder(key.forumId, key.postId, viewer)
    : lockComment({ ...key, commentId }, viewer);

/** The ids of a text, of its place, and of its author. */
export interface TextIds {
  id: string;
  forum_id: string;
  post_id: string;
  comment_id: string | null;
  author_id: string;
}

export function idsOfText(text: ForumText): TextIds {
  const { id, forum_id, author_id } = text;
  return text instanceof ForumPost
    ? { id, forum_id, post_id: id, comment_id: null, author_id }
    : { id, forum_id, post_id: text.post_id, comment_id: id, author_id };
}

/** Returns what notifications know of a text. */
export const kindOfText = (text: ForumText): { kind: 'post' | 'comment'; id: string } => ({
  kind: text instanceof ForumPost ? 'post' : 'comment',
  id: text.id,
});

/** Returns the event of a text in the notifications of its thread. */
export function eventOfText(text: ForumText): TextEvent {
  const { forum_id: forumId, post_id: postId, comment_id } = idsOfText(text);
  return { forumId, postId, cause: comment_id === null ? 'post' : `comment:${comment_id}` };
}

/** Finds a post or a comment by its id. */
export const findText = async (id: string): Promise<ForumText | null> =>
  (await loadIfExists(ForumPost, id)) ?? loadIfExists(ForumComment, id);
