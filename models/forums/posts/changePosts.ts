/** Writes, pins and locks posts. */
import { editRow } from '../../database/model/change.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { renderMarkdownInTurn } from '../../markdown.js';
import { readFileNames } from '../attachments/readAttachments.js';
import { followNewText } from '../changeTexts.js';
import { forumErrors } from '../errors.js';
import { requireForumAccess } from '../forums/forumAccess.js';
import { lockPost, type Viewer } from '../lockTexts.js';
import { findMentionedNames } from '../mentions/mentionedNames.js';
import { checkText } from '../moderation-rules/checkText.js';
import { idsOfText } from '../textIds.js';
import { publishTextChange } from '../topics.js';
import { auditText, beginWriting, findByKey, hashOfRequest, stateOfNew } from '../writeText.js';

const MAX_PINS = 5;

export interface NewPost {
  title: string;
  body: string;
  /** Ids of uploads. */
  attachments?: readonly string[] | undefined;
  idempotency_key?: string | undefined;
}

/**
 * Writes a post. A repeated request with the same key returns the first one's post.
 * @param spend counts the post for the throttle of its author
 * @returns the id of the post
 * @throws Refusal not_found, forum_membership_required, forum_archived, idempotency_mismatch, moderation_blocked,
 * throttled, too_many_mentions, validation_error
 */
export async function createPost(
  forumId: string,
  userId: string,
  post: NewPost,
  spend: () => Promise<void>,
): Promise<string> {
  const { title, body, attachments = [], idempotency_key: key } = post;
  const hash = hashOfRequest(forumId, title, body, ...attachments);
  await requireForumAccess(forumId, userId);
  const known = await findByKey('forum_posts', userId, key, hash);
  if (known) return known;
  const named = findMentionedNames(post);
  const html = await renderMarkdownInTurn(body);
  const fileNames = await readFileNames(attachments);
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
  const text = { id: inserted.id, forum_id: forumId, post_id: inserted.id, comment_id: null, author_id: userId };
  await followNewText(text, { attachments, flaggedBy, named, spend });
  return inserted.id;
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
  publishTextChange(idsOfText(post), null);
  await auditText(post, isPinned ? 'pinned' : 'unpinned');
}

/** Locks or unlocks a thread. A comment that is being written is finished first. @throws Refusal not_found, text_deleted */
export async function lockThread(forumId: string, id: string, viewer: Viewer, isLocked: boolean): Promise<void> {
  const post = await lockPost(forumId, id, viewer);
  if (post.is_locked === isLocked) return;
  await editRow(post, { is_locked: isLocked });
  publishTextChange(idsOfText(post), null);
  await auditText(post, isLocked ? 'locked' : 'unlocked');
}
