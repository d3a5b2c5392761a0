/** Writes, changes and deletes posts. */
import { editRow, lockForEdit, now, requireVersion } from '../../database/model/change.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { renderMarkdown } from '../../markdown.js';
import { removeAttachments, setAttachments } from '../attachments/changeAttachments.js';
import { forumErrors } from '../errors.js';
import { requireForumAccess } from '../forums/forumAccess.js';
import { followThread } from '../../notifications/forum-subscriptions/forumSubscriptions.js';
import { findMentionedNames, findNewNames } from '../mentions/mentionedNames.js';
import { notifyMentioned } from '../mentions/notifyMentioned.js';
import { notifyPublished, withdrawTextNotifications } from '../notifyText.js';
import { auditText, beginWriting, findByKey, hashOfRequest, requireReason } from '../writeText.js';
import { ForumPost } from './ForumPost.js';
import { markThreadRead } from './readMarks.js';

const MAX_PINS = 5;

export interface NewPost {
  title: string;
  body: string;
  /** Ids of uploads. */
  attachments?: readonly string[] | undefined;
  idempotency_key?: string | undefined;
}

/** Counts the text for the throttle of its author. */
type Spend = () => Promise<void>;

/**
 * Writes a post. A repeated request with the same key returns the first one's post.
 * @returns the id of the post
 * @throws Refusal not_found, forum_membership_required, forum_archived, idempotency_mismatch, throttled,
 * too_many_mentions, validation_error
 */
export async function createPost(forumId: string, userId: string, post: NewPost, spend: Spend): Promise<string> {
  const { title, body, attachments = [], idempotency_key: key } = post;
  const hash = hashOfRequest(forumId, title, body, ...attachments);
  await requireForumAccess(forumId, userId);
  const known = await findByKey('forum_posts', userId, key, hash);
  if (known) return known;
  findMentionedNames(post);
  const html = renderMarkdown(body);
  await beginWriting(forumId, userId);
  const inserted = await firstRow<{ id: string }>(
    `INSERT INTO forum_posts (organization_id, forum_id, author_id, title, body, body_html, idempotency_key, request_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (organization_id, author_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
     RETURNING id`,
    [currentOrganization(), forumId, userId, title, body, html, key ?? null, hash],
  );
  // A concurrent request with the same key was faster.
  if (inserted === null) return (await findByKey('forum_posts', userId, key, hash)) as string;
  if (attachments.length > 0)
    await setAttachments(attachedPost({ id: inserted.id, forum_id: forumId, author_id: userId }), userId, attachments);
  await spend();
  await markThreadRead(inserted.id, userId);
  await followThread({ forumId, postId: inserted.id }, userId);
  await notifyPublished({ kind: 'post', id: inserted.id });
  return inserted.id;
}

const attachedPost = ({ id, forum_id, author_id }: Pick<ForumPost, 'id' | 'forum_id' | 'author_id'>) =>
  ({ column: 'post_id', id, forum_id, author_id }) as const;

/** Loads and locks a post, deleted or not. @throws Refusal not_found */
export const lockPostOrPlaceholder = (forumId: string, id: string): Promise<ForumPost> =>
  lockForEdit(ForumPost, { id, forum_id: forumId });

/** Loads and locks a post that is not deleted. @throws Refusal not_found, text_deleted */
export async function lockPost(forumId: string, id: string): Promise<ForumPost> {
  const post = await lockPostOrPlaceholder(forumId, id);
  if (post.deleted_at !== null) throw forumErrors.text_deleted();
  return post;
}

export interface TextEdit {
  title?: string | undefined;
  body?: string | undefined;
  /** Ids of all attachments that the text has from now on. */
  attachments?: readonly string[] | undefined;
  version?: number | undefined;
  /** Why a moderator changes another person's text. */
  reason?: string | undefined;
}

/**
 * Changes a locked post, and notifies the people whom it names now and did not name before.
 * @throws Refusal stale_version, validation_error, too_many_mentions
 */
export async function editPost(
  post: ForumPost,
  userId: string,
  { title, body, attachments, version, reason }: TextEdit,
): Promise<void> {
  requireReason(post.author_id, userId, reason);
  requireVersion(post, version);
  const changesFiles = attachments !== undefined && (await setAttachments(attachedPost(post), userId, attachments));
  const changes =
    changesFiles || (title !== undefined && title !== post.title) || (body !== undefined && body !== post.body);
  const html = body === undefined ? undefined : renderMarkdown(body);
  const named = findNewNames(post, { title, body });
  await editRow(post, { ...(changes && { title, body, body_html: html, edited_at: now }) });
  if (!changes) return;
  await notifyMentioned({ forumId: post.forum_id, postId: post.id, cause: 'post' }, post.author_id, named);
  if (post.author_id !== userId) await auditText('forum_posts', post, 'updated', { reason });
}

/** Deletes a post with its files; its comments stay. Repeating it changes nothing. @throws Refusal validation_error */
export async function deletePost(post: ForumPost, userId: string, reason: string | undefined): Promise<void> {
  if (post.deleted_at !== null) return;
  requireReason(post.author_id, userId, reason);
  await editRow(post, { deleted_at: now, deleted_by: userId, is_pinned: false });
  await removeAttachments('post_id', post.id);
  await withdrawTextNotifications({ kind: 'post', id: post.id });
  if (post.author_id !== userId) await auditText('forum_posts', post, 'deleted', { reason });
}

/**
 * Pins or unpins a post. The caller has locked the forum, so that two posts are not pinned at once.
 * @throws Refusal not_found, text_deleted, too_many_pins
 */
export async function pinPost(forumId: string, id: string, isPinned: boolean): Promise<void> {
  const post = await lockPost(forumId, id);
  if (post.is_pinned === isPinned) return;
  await editRow(post, { is_pinned: isPinned });
  const { pins } = await oneRow<{ pins: number }>(
    'SELECT count(*)::int AS pins FROM forum_posts WHERE organization_id = $1 AND forum_id = $2 AND is_pinned',
    [currentOrganization(), forumId],
  );
  if (pins > MAX_PINS) throw forumErrors.too_many_pins();
  await auditText('forum_posts', post, isPinned ? 'pinned' : 'unpinned');
}

/** Locks or unlocks a thread. A comment that is being written is finished first. @throws Refusal not_found, text_deleted */
export async function lockThread(forumId: string, id: string, isLocked: boolean): Promise<void> {
  const post = await lockPost(forumId, id);
  if (post.is_locked === isLocked) return;
  await editRow(post, { is_locked: isLocked });
  await auditText('forum_posts', post, isLocked ? 'locked' : 'unlocked');
}

/** Adds or removes one comment of a locked post. A new comment is activity of the thread. */
export const countComment = (id: string, change: 1 | -1): Promise<unknown> =>
  rows(
    `UPDATE forum_posts SET comment_count = comment_count + $3,
            last_activity_at = CASE WHEN $3 > 0 THEN clock_timestamp() ELSE last_activity_at END
      WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), id, change],
  );
