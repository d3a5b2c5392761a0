/** Writes, changes and deletes comments. */
import { editRow, now, requireVersion } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { renderMarkdownInTurn } from '../../markdown.js';
import { removeAttachments, setAttachments } from '../attachments/changeAttachments.js';
import { readFileNames } from '../attachments/readAttachments.js';
import { forumErrors } from '../errors.js';
import { requireForumAccess } from '../forums/forumAccess.js';
import { followThread } from '../../notifications/forum-subscriptions/forumSubscriptions.js';
import { lockPost } from '../lockTexts.js';
import { findMentionedNames, findNewNames } from '../mentions/mentionedNames.js';
import { checkText } from '../moderation-rules/checkText.js';
import { notifyPublished, withdrawTextNotifications } from '../notifyText.js';
import type { TextEdit } from '../posts/changePosts.js';
import { markThreadRead } from '../posts/readMarks.js';
import { countComment } from '../posts/threadCounts.js';
import { closeCase, followEdit, openCase, removeText, stateOfEdited } from '../review-queue/cases.js';
import {
  auditText,
  beginWriting,
  findByKey,
  hashOfRequest,
  noteEditByModerator,
  requireReason,
  stateOfNew,
} from '../writeText.js';
import type { ForumComment } from './ForumComment.js';

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
 * post_not_published, idempotency_mismatch, moderation_blocked, throttled, too_many_mentions, validation_error
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
  const html = await renderMarkdownInTurn(body);
  const fileNames = await readFileNames('id', attachments);
  const flaggedBy = await checkText({ body, html, fileNames });
  const { forum_role: role } = await beginWriting(forumId, userId);
  const post = await lockPost(forumId, postId, { userId, role });
  if (post.status !== 'published') throw forumErrors.post_not_published();
  if (post.is_locked && role === 'member') throw forumErrors.thread_locked();
  const inserted = await firstRow<{ id: string }>(
    `INSERT INTO forum_comments (organization_id, forum_id, post_id, author_id, body, body_html, idempotency_key, request_hash,
                                 status, published_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${stateOfNew('$9::boolean')})
     ON CONFLICT (organization_id, author_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
     RETURNING id`,
    [currentOrganization(), forumId, postId, userId, body, html, key ?? null, hash, flaggedBy.length > 0],
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
  if (flaggedBy.length === 0) await countComment(postId, 1);
  await markThreadRead(postId, userId);
  await followThread({ forumId, postId }, userId);
  if (flaggedBy.length === 0) await notifyPublished({ kind: 'comment', id: inserted.id });
  else
    await openCase(
      { forum_id: forumId, id: inserted.id, post_id: postId, comment_id: inserted.id, author_id: userId },
      { opened_by: 'rule', matched_rules: flaggedBy },
    );
  return inserted.id;
}

const attachedComment = ({ id, forum_id, author_id }: Pick<ForumComment, 'id' | 'forum_id' | 'author_id'>) =>
  ({ column: 'comment_id', id, forum_id, author_id }) as const;

/**
 * Changes a locked comment, and notifies the people whom it names now and did not name before.
 * @throws Refusal stale_version, text_deleted, validation_error, moderation_blocked, too_many_mentions
 */
export async function editComment(
  comment: ForumComment,
  userId: string,
  { body, attachments, version, reason }: Omit<TextEdit, 'title'>,
): Promise<void> {
  if (comment.deleted_at !== null) throw forumErrors.text_deleted();
  if (comment.author_id !== userId) requireReason(reason);
  requireVersion(comment, version);
  const named = findNewNames(comment, { body });
  const changesFiles =
    attachments !== undefined && (await setAttachments(attachedComment(comment), userId, attachments));
  if (!changesFiles && (body === undefined || body === comment.body)) return;
  const words = body ?? (comment.body as string);
  const html = body === undefined ? (comment.body_html as string) : await renderMarkdownInTurn(body);
  const fileNames = await readFileNames('comment_id', [comment.id]);
  const flaggedBy = await checkText({ body: words, html, fileNames });
  const { status: before } = comment;
  await editRow(comment, { body: words, body_html: html, ...stateOfEdited(before, flaggedBy) });
  await followEdit(comment, before, { flaggedBy, named });
  if (comment.author_id !== userId) await noteEditByModerator('forum_comments', comment, reason);
}

/**
 * Deletes a locked comment with its files. Another person's comment is removed, and its author may appeal. Repeating it
 * changes nothing.
 * @throws Refusal validation_error
 */
export async function deleteComment(comment: ForumComment, userId: string, reason: string | undefined): Promise<void> {
  if (comment.deleted_at !== null) return;
  if (comment.author_id !== userId) {
    await removeText(comment, { userId, reason: requireReason(reason) });
    return auditText('forum_comments', comment, 'deleted', { reason });
  }
  await editRow(comment, { deleted_at: now, deleted_by: userId });
  await removeAttachments('comment_id', comment.id);
  if (comment.status === 'published') await countComment(comment.post_id, -1);
  await withdrawTextNotifications({ kind: 'comment', id: comment.id });
  await closeCase(comment);
}
