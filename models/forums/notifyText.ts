/** Notifies people of texts of forums, and withdraws these notifications. */
import { currentOrganization, oneRow } from '../database/rows.js';
import { cancelFanoutsOf, forgetWithdrawn, withdrawNextOf } from '../notifications/fanouts/withdrawNotifications.js';
import { notifyAudience } from '../notifications/notifyAudience.js';
import { findMentionedNames } from './mentions/mentionedNames.js';
import { eventIdOf, type TextEvent } from './mentions/mentions.js';
import { notifyMentioned } from './mentions/notifyMentioned.js';
import { audiences, notifications } from './notifications.js';
import { hiddenEventsOf, startWithdrawal } from './withdrawals.js';

interface ForumText {
  kind: 'post' | 'comment';
  id: string;
}

/**
 * Notifies people of a text that has just been published: those whom it mentions, then the subscribers of its forum or
 * thread. Each person gets one notification. If the notifications of the text were withdrawn, people who have neither read
 * theirs nor got it by mail or push are notified again.
 */
export async function notifyPublished({ kind, id }: ForumText): Promise<void> {
  const { author, title, body, ...text } = await readText({ kind, id });
  const event: TextEvent = { ...text, cause: kind === 'post' ? 'post' : `comment:${id}` };
  await forgetWithdrawn(event.postId, eventIdOf(event), event.cause);
  await notifyMentioned(event, author, findMentionedNames({ title, body }));
  const [type, audience] =
    kind === 'post'
      ? [notifications.forum_new_post, audiences.forum_post_subscribers]
      : [notifications.forum_reply, audiences.forum_comment_subscribers];
  await notifyAudience(type, event.postId, audience, { of: id, actor: author, cause: event.cause });
}

/**
 * Withdraws the notifications of a text that readers no longer see, and of comments that are hidden with their post:
 * unread ones leave the list, unsent ones are not sent. Call it after the change of the text. More than 5,000 are
 * withdrawn by a process.
 */
export async function withdrawTextNotifications(text: ForumText): Promise<void> {
  const { postId } = await readText(text);
  const hidden = hiddenEventsOf(postId);
  const { isOneBatch } = await cancelFanoutsOf(hidden);
  if (isOneBatch) await withdrawNextOf(hidden);
  else await startWithdrawal(postId);
}

interface TextRow {
  forumId: string;
  postId: string;
  author: string;
  title: string | null;
  body: string | null;
}

function readText({ kind, id }: ForumText): Promise<TextRow> {
  const text =
    kind === 'post'
      ? 'id AS "postId", title, body, author_id AS author FROM forum_posts'
      : 'post_id AS "postId", NULL AS title, body, author_id AS author FROM forum_comments';
  return oneRow<TextRow>(`SELECT forum_id AS "forumId", ${text} WHERE organization_id = $1 AND id = $2`, [
    currentOrganization(),
    id,
  ]);
}
