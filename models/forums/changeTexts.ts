/** Writes, changes and deletes posts and comments: the part that is the same for both. */
import { editRow, now, requireVersion } from '../database/model/change.js';
import { renderMarkdownInTurn } from '../markdown.js';
import { followThread } from '../notifications/forum-subscriptions/forumSubscriptions.js';
import { removeAttachments, setAttachments } from './attachments/changeAttachments.js';
import { readFileNamesOf } from './attachments/readAttachments.js';
import { forumErrors } from './errors.js';
import { findNewNames, type MentionedName } from './mentions/mentionedNames.js';
import { checkText } from './moderation-rules/checkText.js';
import type { RulePattern } from './moderation-rules/compileRules.js';
import { notifyPublished, withdrawHiddenTexts } from './notifyText.js';
import { ForumPost } from './posts/ForumPost.js';
import { markThreadRead } from './posts/readMarks.js';
import { countComment } from './posts/threadCounts.js';
import { closeCase, followEdit, openCase, removeText, stateOfEdited } from './review-queue/cases.js';
import { type ForumText, idsOfText, type TextIds } from './textIds.js';
import { publishTextChange } from './topics.js';
import { keepRevision } from './revisions/keepRevision.js';
import { auditText, noteEditByModerator, requireReason } from './writeText.js';

/** A text that was inserted. */
interface NewText {
  attachments: readonly string[];
  /** The rules that flag the text. */
  flaggedBy: readonly RulePattern[];
  named: readonly MentionedName[];
  /** Counts the text for the throttle of its author. */
  spend: () => Promise<void>;
}

/**
 * Attaches the files of a new text, subscribes its author to the thread, and notifies people of the text or, if a rule
 * flags it, opens a case.
 * @throws Refusal throttled, validation_error
 */
export async function followNewText(text: TextIds, { attachments, flaggedBy, named, spend }: NewText): Promise<void> {
  const { forum_id: forumId, post_id: postId, author_id: author } = text;
  if (attachments.length > 0) await setAttachments(text, author, attachments);
  await spend();
  if (text.comment_id !== null && flaggedBy.length === 0) await countComment(postId, 1);
  await markThreadRead(postId, author);
  await followThread({ forumId, postId }, author);
  if (flaggedBy.length === 0) await notifyPublished(text, named);
  else await openCase(text, { opened_by: 'rule', matched_rules: flaggedBy });
  publishTextChange(text, null);
}

export interface TextEdit {
  /** Only posts have a title. */
  title?: string | undefined;
  body?: string | undefined;
  /** Ids of all attachments that the text has from now on. */
  attachments?: readonly string[] | undefined;
  version?: number | undefined;
  /** Why a moderator changes another person's text. */
  reason?: string | undefined;
}

/**
 * Changes a locked text, and notifies the people whom it names now and did not name before.
 * @throws Refusal stale_version, text_deleted, validation_error, moderation_blocked, too_many_mentions
 */
export async function editText(
  text: ForumText,
  userId: string,
  { title, body, attachments, version, reason }: TextEdit,
): Promise<void> {
  if (text.deleted_at !== null) throw forumErrors.text_deleted();
  if (text.author_id !== userId) requireReason(reason);
  requireVersion(text, version);
  const ids = idsOfText(text);
  const heading = text instanceof ForumPost ? { title: title ?? (text.title as string) } : {};
  const changesFiles = attachments !== undefined && (await setAttachments(ids, userId, attachments));
  const changesTitle = text instanceof ForumPost && heading.title !== text.title;
  if (!changesFiles && !changesTitle && (body === undefined || body === text.body)) return;
  const named = findNewNames(text, { title, body });
  const words = {
    body: body ?? (text.body as string),
    body_html: body === undefined ? (text.body_html as string) : await renderMarkdownInTurn(body),
  };
  const fileNames = await readFileNamesOf(ids);
  const flaggedBy = await checkText({ ...heading, body: words.body, html: words.body_html, fileNames });
  const { status: before } = text;
  const change = { ...words, ...stateOfEdited(before, flaggedBy) };
  if (changesTitle || words.body !== text.body) await keepRevision(text, userId);
  if (text instanceof ForumPost) await editRow(text, { ...heading, ...change });
  else await editRow(text, change);
  await followEdit(text, before, { flaggedBy, named });
  publishTextChange(ids, before);
  if (text.author_id !== userId) await noteEditByModerator(text, reason);
}

/**
 * Deletes a locked text with its files; the comments on a post stay. Another person's text is removed, and its author may
 * appeal. Repeating it changes nothing.
 * @throws Refusal validation_error
 */
export async function deleteText(text: ForumText, userId: string, reason: string | undefined): Promise<void> {
  if (text.deleted_at !== null) return;
  if (text.author_id !== userId) {
    await removeText(text, { userId, reason: requireReason(reason) });
    return auditText(text, 'deleted', { reason });
  }
  const ids = idsOfText(text);
  const deletion = { deleted_at: now, deleted_by: userId };
  if (text instanceof ForumPost) await editRow(text, { ...deletion, is_pinned: false });
  else await editRow(text, deletion);
  await removeAttachments(ids);
  if (ids.comment_id !== null && text.status === 'published') await countComment(ids.post_id, -1);
  await withdrawHiddenTexts(ids.post_id);
  await closeCase(text);
  publishTextChange(ids, text.status);
}
