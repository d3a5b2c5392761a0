/** Identifies a post or a comment by the same type. */
import type { ForumComment } from './comments/ForumComment.js';
import type { TextEvent } from './mentions/mentions.js';
import { ForumPost } from './posts/ForumPost.js';

export type ForumText = ForumPost | ForumComment;

/** The ids of a text, of its place, and of its author. */
export interface TextIds {
  id: string;
  forum_id: string;
  post_id: string;
  /** Null for a post. */
  comment_id: string | null;
  author_id: string;
}

export function idsOfText(text: ForumText): TextIds {
  const { id, forum_id, author_id } = text;
  return text instanceof ForumPost
    ? { id, forum_id, post_id: id, comment_id: null, author_id }
    : { id, forum_id, post_id: text.post_id, comment_id: id, author_id };
}

/** Returns the event of a text in the notifications of its thread. */
export const eventOfText = ({
  forum_id,
  post_id,
  comment_id,
}: Pick<TextIds, 'forum_id' | 'post_id' | 'comment_id'>): TextEvent => ({
  forumId: forum_id,
  postId: post_id,
  cause: comment_id === null ? 'post' : `comment:${comment_id}`,
});
