/** Helpers of posts and comments: checks the right to write, finds repeated requests, and audits what moderators do. */
import { createHash } from 'node:crypto';
import type { ErrorDefinition } from '../errors.js';
import { invalid, refuse } from '../errors.js';
import { audit } from '../database/audit.js';
import { currentOrganization, firstRow } from '../database/rows.js';
import { forumErrors } from './errors.js';
import { lockForumForText, requireForumAccess, type VisibleForum } from './forums/forumAccess.js';
import { notify } from '../notifications/notify.js';
import { joinByReading } from './members/joinForum.js';
import { ForumPost } from './posts/ForumPost.js';
import { notifications } from './review-queue/notifications.js';
import type { ForumText } from './textIds.js';

type TextTable = 'forum_posts' | 'forum_comments';

/** Errors of every request that changes a text. */
export const WRITING_ERRORS: readonly ErrorDefinition[] = [
  forumErrors.forum_membership_required,
  forumErrors.forum_archived,
];

/** Errors of every request that writes words. */
export const WORDING_ERRORS: readonly ErrorDefinition[] = [...WRITING_ERRORS, forumErrors.moderation_blocked];

/**
 * Requires that a person may write in a forum, and keeps that true until the transaction ends. The first text makes a
 * person in the scope of an open forum a member.
 * @throws Refusal not_found, forum_membership_required, forum_archived
 */
export async function beginWriting(forumId: string, userId: string): Promise<VisibleForum> {
  const { joins } = await requireForumAccess(forumId, userId);
  if (joins) await joinByReading(forumId, userId);
  return holdWriter(forumId, userId);
}

/**
 * Requires that a member may write in a forum, and keeps that true until the transaction ends.
 * @throws Refusal not_found, forum_membership_required, forum_archived
 */
export async function holdWriter(forumId: string, userId: string): Promise<VisibleForum> {
  await requireForumAccess(forumId, userId);
  await lockForumForText(forumId);
  const access = await requireForumAccess(forumId, userId);
  if (access.is_archived) throw forumErrors.forum_archived();
  if (access.forum_role === 'reader') throw forumErrors.forum_membership_required();
  return access;
}

/** Returns the hash of what a request writes, and where. */
export const hashOfRequest = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/**
 * Finds the text that an earlier request of the same person wrote with the same key.
 * @returns its id, or null
 * @throws Refusal idempotency_mismatch if that request wrote another text
 */
export async function findByKey(
  table: TextTable,
  authorId: string,
  key: string | undefined,
  hash: string,
): Promise<string | null> {
  if (key === undefined) return null;
  const known = await firstRow<{ id: string; request_hash: string }>(
    `SELECT id, request_hash FROM ${table} WHERE organization_id = $1 AND author_id = $2 AND idempotency_key = $3`,
    [currentOrganization(), authorId, key],
  );
  if (known && known.request_hash !== hash) throw refuse.idempotency_mismatch();
  return known?.id ?? null;
}

/** Requires a reason of a moderator who changes another person's text. @returns the reason @throws Refusal validation_error */
export function requireReason(reason: string | undefined): string {
  if (reason === undefined) throw invalid('reason', "Required for another person's text.");
  return reason;
}

/**
 * SQL: the status of a new text, and when it was published.
 * @param isFlagged placeholder of whether a rule flags the text
 */
export const stateOfNew = (isFlagged: string): string =>
  `CASE WHEN ${isFlagged} THEN 'pending_review' ELSE 'published' END, CASE WHEN NOT ${isFlagged} THEN clock_timestamp() END`;

/** Audits that a moderator changed another person's text, and notifies its author. */
export async function noteEditByModerator(text: ForumText, reason: string | undefined): Promise<void> {
  await auditText(text, 'updated', { reason });
  await notify(notifications.forum_text_changed, [text.id], { cause: `changed_${text.version}` });
}

/** Writes what a moderator did with a text to the audit log. */
export function auditText(text: ForumText, verb: string, after: Record<string, unknown> = {}): Promise<void> {
  const { id, author_id: userId } = text;
  const subjectType = text instanceof ForumPost ? 'forum_post' : 'forum_comment';
  return audit({ action: `${subjectType}.${verb}`, subjectType, subjectId: id, person: { userId }, after });
}
