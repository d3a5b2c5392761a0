/** Writes, changes and deletes comments. */
import { editRow, lockForEdit, now, requireVersion } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { renderMarkdown } from '../../markdown.js';
import { removeAttachments, setAttachments } from '../attachments/changeAttachments.js';
import { forumErrors } from '../errors.js';
import { requireForumAccess } from '../forums/forumAccess.js';
import { followThread } from '../../notifications/forum-subscriptions/forumSubscriptions.js';
import { findMentionedNames, findNewNames } from '../mentions/mentionedNames.js';
import { notifyMentioned } from '../mentions/notifyMentioned.js';
import { notifyPublished, withdrawTextNotifications } from '../notifyText.js';
import { countComment, lockPost, type TextEdit } from '../posts/changePosts.js';
import { markThreadRead } from '../posts/readMarks.js';
import { auditText, beginWriting, findByKey, hashOfRequest, requireReason } from '../writeText.js';
import { ForumComment } from './ForumComment.js';

export interface NewComment {
  body: string;
  /** Ids of uploads. */
  attachments?: readonly string[] | undefined;
  idempotency_key?: string | undefined;
}

/** The thread of a comment. */
export interface Thread {
  forumId: string;
  postId: string;
}

/**
 * Writes a comment. A repeated request with the same key returns the first one's comment.
 * @param spend counts the comment for the throttle of its author
 * @returns the id of the comment
 * @throws Refusal not_found, forum_membership_required, forum_archived, thread_locked, text_deleted,
 * idempotency_mismatch, throttled, too_many_mentions, validation_error
 */
export async function createComment(
  { forumId, postId }: Thread,
  userId: string,
  { body, attachments = [], idempotency_key: key }: NewComment,
  spend: () => Promise<void>,
): Promise<string> {
  const hash = hashOfRequest(postId, body, ...attachments);
  await requireForumAccess(forumId, userId);
  const known = await findByKey('forum_comments', userId, key, hash);
  if (known) return known;
  findMentionedNames({ body });
  const html = renderMarkdown(body);
  const { forum_role: role } = await beginWriting(forumId, userId);
  const post = await lockPost(forumId, postId);
  if (post.is_locked && role === 'member') throw forumErrors.thread_locked();
  const inserted = await firstRow<{ id: string }>(
    `INSERT INTO forum_comments (organization_id, forum_id, post_id, author_id, body, body_html, idempotency_key, request_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (organization_id, author_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
     RETURNING id`,
    [currentOrganization(), forumId, postId, userId, body, html, key ?? null, hash],
  );
  // A concurrent request with the same key was faster.
  if (inserted === null) return (await findByKey('forum_comments', userId, key, hash)) as string;
  if (attachments.length > 0)
    await setAttachments(
      attachedComment({ id: inserted.id, forum_id: forumId, author_id: userId }),
      userId,
      attachments,
    );
  await spend();
  await countComment(postId, 1);
  await markThreadRead(postId, userId);
  await followThread({ forumId, postId }, userId);
  await notifyPublished({ kind: 'comment', id: inserted.id });
  return inserted.id;
}

const attachedComment = ({ id, forum_id, author_id }: Pick<ForumComment, 'id' | 'forum_id' | 'author_id'>) =>
  ({ column: 'comment_id', id, forum_id, author_id }) as const;

/** Loads and locks a comment of a thread. @throws Refusal not_found */
export const lockComment = ({ forumId, postId }: Thread, id: string): Promise<ForumComment> =>
  lockForEdit(ForumComment, { id, forum_id: forumId, post_id: postId });

/**
 * Changes a locked comment, and notifies the people whom it names now and did not name before.
 * @throws Refusal stale_version, text_deleted, validation_error, too_many_mentions
 */
export async function editComment(
  comment: ForumComment,
  userId: string,
  { body, attachments, version, reason }: Omit<TextEdit, 'title'>,
): Promise<void> {
  if (comment.deleted_at !== null) throw forumErrors.text_deleted();
  requireReason(comment.author_id, userId, reason);
  requireVersion(comment, version);
  const named = findNewNames(comment, { body });
  const changesFiles =
    attachments !== undefined && (await setAttachments(attachedComment(comment), userId, attachments));
  const changes = changesFiles || (body !== undefined && body !== comment.body);
  const html = body === undefined ? undefined : renderMarkdown(body);
  await editRow(comment, { ...(changes && { body, body_html: html, edited_at: now }) });
  if (!changes) return;
  const event = { forumId: comment.forum_id, postId: comment.post_id, cause: `comment:${comment.id}` };
  await notifyMentioned(event, comment.author_id, named);
  if (comment.author_id !== userId) await auditText('forum_comments', comment, 'updated', { reason });
}

/**
 * Deletes a locked comment with its files. Repeating it changes nothing. The caller has locked its post.
 * @throws Refusal validation_error
 */
export async function deleteComment(comment: ForumComment, userId: string, reason: string | undefined): Promise<void> {
  if (comment.deleted_at !== null) return;
  requireReason(comment.author_id, userId, reason);
  await editRow(comment, { deleted_at: now, deleted_by: userId });
  await removeAttachments('comment_id', comment.id);
  await countComment(comment.post_id, -1);
  await withdrawTextNotifications({ kind: 'comment', id: comment.id });
  if (comment.author_id !== userId) await auditText('forum_comments', comment, 'deleted', { reason });
}
