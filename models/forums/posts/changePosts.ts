/** Writes, changes and deletes posts. */
import { editRow, now, requireVersion } from '../../database/model/change.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { renderMarkdownInTurn } from '../../markdown.js';
import { removeAttachments, setAttachments } from '../attachments/changeAttachments.js';
import { readFileNames } from '../attachments/readAttachments.js';
import { forumErrors } from '../errors.js';
import { requireForumAccess } from '../forums/forumAccess.js';
import { followThread } from '../../notifications/forum-subscriptions/forumSubscriptions.js';
import { lockPost, type Viewer } from '../lockTexts.js';
import { findMentionedNames, findNewNames } from '../mentions/mentionedNames.js';
import { checkText } from '../moderation-rules/checkText.js';
import { notifyPublished, withdrawTextNotifications } from '../notifyText.js';
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
 * @throws Refusal not_found, forum_membership_required, forum_archived, idempotency_mismatch, moderation_blocked,
 * throttled, too_many_mentions, validation_error
 */
export async function createPost(forumId: string, userId: string, post: NewPost, spend: Spend): Promise<string> {
  const { title, body, attachments = [], idempotency_key: key } = post;
  const hash = hashOfRequest(forumId, title, body, ...attachments);
  await requireForumAccess(forumId, userId);
  const known = await findByKey('forum_posts', userId, key, hash);
  if (known) return known;
  findMentionedNames(post);
  const html = await renderMarkdownInTurn(body);
  const fileNames = await readFileNames('id', attachments);
  const flaggedBy = await checkText({ title, body, html, fileNames });
  await beginWriting(forumId, userId);
  const inserted = await firstRow<{ id: string }>(
    `INSERT INTO forum_posts (organization_id, forum_id, author_id, title, body, body_html, idempotency_key, request_hash,
                              status, published_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${stateOfNew('$9::boolean')})
     ON CONFLICT (organization_id, author_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
     RETURNING id`,
    [currentOrganization(), forumId, userId, title, body, html, key ?? null, hash, flaggedBy.length > 0],
  );
  // A concurrent request with the same key was faster.
  if (inserted === null) return (await findByKey('forum_posts', userId, key, hash)) as string;
  if (attachments.length > 0)
    await setAttachments(attachedPost({ id: inserted.id, forum_id: forumId, author_id: userId }), userId, attachments);
  await spend();
  await markThreadRead(inserted.id, userId);
  await followThread({ forumId, postId: inserted.id }, userId);
  if (flaggedBy.length === 0) await notifyPublished({ kind: 'post', id: inserted.id });
  else
    await openCase(
      { forum_id: forumId, id: inserted.id, post_id: inserted.id, comment_id: null, author_id: userId },
      { opened_by: 'rule', matched_rules: flaggedBy },
    );
  return inserted.id;
}

const attachedPost = ({ id, forum_id, author_id }: Pick<ForumPost, 'id' | 'forum_id' | 'author_id'>) =>
  ({ column: 'post_id', id, forum_id, author_id }) as const;

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
 * @throws Refusal stale_version, validation_error, moderation_blocked, too_many_mentions
 */
export async function editPost(
  post: ForumPost,
  userId: string,
  { title, body, attachments, version, reason }: TextEdit,
): Promise<void> {
  if (post.author_id !== userId) requireReason(reason);
  requireVersion(post, version);
  const changesFiles = attachments !== undefined && (await setAttachments(attachedPost(post), userId, attachments));
  const changes =
    changesFiles || (title !== undefined && title !== post.title) || (body !== undefined && body !== post.body);
  if (!changes) return;
  const named = findNewNames(post, { title, body });
  const words = {
    title: title ?? (post.title as string),
    body: body ?? (post.body as string),
    html: body === undefined ? (post.body_html as string) : await renderMarkdownInTurn(body),
  };
  const flaggedBy = await checkText({ ...words, fileNames: await readFileNames('post_id', [post.id]) });
  const { status: before } = post;
  await editRow(post, {
    title: words.title,
    body: words.body,
    body_html: words.html,
    ...stateOfEdited(before, flaggedBy),
  });
  await followEdit(post, before, { flaggedBy, named });
  if (post.author_id !== userId) await noteEditByModerator('forum_posts', post, reason);
}

/**
 * Deletes a post with its files; its comments stay. Another person's post is removed, and its author may appeal.
 * Repeating it changes nothing.
 * @throws Refusal validation_error
 */
export async function deletePost(post: ForumPost, userId: string, reason: string | undefined): Promise<void> {
  if (post.deleted_at !== null) return;
  if (post.author_id !== userId) {
    await removeText(post, { userId, reason: requireReason(reason) });
    return auditText('forum_posts', post, 'deleted', { reason });
  }
  await editRow(post, { deleted_at: now, deleted_by: userId, is_pinned: false });
  await removeAttachments('post_id', post.id);
  await withdrawTextNotifications({ kind: 'post', id: post.id });
  await closeCase(post);
}

/**
 * Pins or unpins a post. The caller has locked the forum, so that two posts are not pinned at once.
 * @throws Refusal not_found, text_deleted, too_many_pins
 */
export async function pinPost(forumId: string, id: string, viewer: Viewer, isPinned: boolean): Promise<void> {
  const post = await lockPost(forumId, id, viewer);
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
export async function lockThread(forumId: string, id: string, viewer: Viewer, isLocked: boolean): Promise<void> {
  const post = await lockPost(forumId, id, viewer);
  if (post.is_locked === isLocked) return;
  await editRow(post, { is_locked: isLocked });
  await auditText('forum_posts', post, isLocked ? 'locked' : 'unlocked');
}
