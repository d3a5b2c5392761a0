/** Notifies people of texts of forums, and withdraws these notifications. */
import { cancelFanoutsOf, forgetWithdrawn, withdrawNextOf } from '../notifications/fanouts/withdrawNotifications.js';
import { notifyAudience } from '../notifications/notifyAudience.js';
import type { MentionedName } from './mentions/mentionedNames.js';
import { eventIdOf } from './mentions/mentions.js';
import { notifyMentioned } from './mentions/notifyMentioned.js';
import { audiences, notifications } from './notifications.js';
import { eventOfText, type TextIds } from './textIds.js';
import { hiddenEventsOf, startWithdrawal } from './withdrawals.js';

/**
 * Notifies people of a text that has just been published: those whom it mentions, then the subscribers of its forum or
 * thread. Each person gets one notification. If the notifications of the text were withdrawn, people who have neither read
 * theirs nor got it by mail or push are notified again.
 * @param named the people whom the text mentions
 */
export async function notifyPublished(text: TextIds, named: readonly MentionedName[]): Promise<void> {
  const event = eventOfText(text);
  const { postId, cause } = event;
  await forgetWithdrawn(postId, eventIdOf(event), cause);
  await notifyMentioned(event, text.author_id, named);
  const [type, audience] =
    text.comment_id === null
      ? [notifications.forum_new_post, audiences.forum_post_subscribers]
      : [notifications.forum_reply, audiences.forum_comment_subscribers];
  await notifyAudience(type, postId, audience, { of: text.id, actor: text.author_id, cause });
}

/**
 * Withdraws the notifications of the texts of a thread that readers do not see: unread ones leave the list, unsent ones
 * are not sent. Call it after the change of a text. More than 5,000 are withdrawn by a process.
 */
export async function withdrawHiddenTexts(postId: string): Promise<void> {
  const hidden = hiddenEventsOf(postId);
  const { isOneBatch } = await cancelFanoutsOf(hidden);
  if (isOneBatch) await withdrawNextOf(hidden);
  else await startWithdrawal(postId);
}
