import { currentOrganization, firstRow } from '../../database/rows.js';
import { renderMarkdownInTurn } from '../../markdown.js';
import { readFileNames } from '../attachments/readAttachments.js';
import { followNewText } from '../changeTexts.js';
import { forumErrors } from '../errors.js';
import { requireForumAccess } from '../forums/forumAccess.js';
import { lockPost } from '../lockTexts.js';
import { findMentionedNames } from '../mentions/mentionedNames.js';
import { checkText } from '../moderation-rules/checkText.js';
import { beginWriting, findByKey, hashOfRequest, stateOfNew } from '../writeText.js';

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
  const named = findMentionedNames({ body });
  const html = await renderMarkdownInTurn(body);
  const fileNames = await readFileNames(attachments);
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
  const text = { id: inserted.id, forum_id: forumId, post_id: postId, comment_id: inserted.id, author_id: userId };
  await followNewText(text, { attachments, flaggedBy, named, spend });
  return inserted.id;
}
