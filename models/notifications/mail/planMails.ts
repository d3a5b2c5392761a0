/**
 * Plans the mails for claimed deliveries: one mail per delivery, or one for several, so that a person does not get more
 * mails than the limit allows.
 */
import type { ClaimedDelivery } from '../deliveries/claimDeliveries.js';
import { unknownMailOf } from '../types.js';
import type { MailToClaim } from './claimMails.js';
import type { MailRecipient } from './recipients.js';

/**
 * If a person has more held deliveries than this, they are combined into one mail. Otherwise each becomes a mail of its
 * own.
 */
const MAX_SEPARATE_HELD = 3;

export interface PlannedMail extends MailToClaim {
  recipientId: string;
  firstName: string | null;
  timezone: string;
  deliveries: readonly ClaimedDelivery[];
  /** The conversation, if all deliveries of the mail are about the same one. */
  conversation: { type: string; id: string } | null;
}

export interface MailPlan {
  mails: PlannedMail[];
  /** Deliveries above the hourly limit, with the seconds until the person may get another mail. */
  waiting: { notificationIds: string[]; seconds: number }[];
}

/**
 * Plans the mails of claimed deliveries.
 * @param claimed the deliveries, in the order in which they are to be sent
 * @param recipients the recipients of all deliveries, by id
 */
export function planMails(
  claimed: readonly ClaimedDelivery[],
  recipients: ReadonlyMap<string, MailRecipient>,
): MailPlan {
  const plan: MailPlan = { mails: [], waiting: [] };
  for (const delivery of claimed.filter((one) => one.critical)) plan.mails.push(mailOf([delivery], recipients));
  const nonCritical = claimed.filter((one) => !one.critical);
  for (const [recipientId, theirs] of grouped(nonCritical, (one) => one.recipientId)) {
    const mails = groupIntoMails(theirs).map((deliveries) => mailOf(deliveries, recipients));
    const { left, freeIn } = recipients.get(recipientId) ?? { left: 0, freeIn: 3_600 };
    plan.mails.push(...mails.slice(0, left));
    const overLimit = mails.slice(left).flatMap(({ notificationIds }) => notificationIds);
    if (overLimit.length > 0) plan.waiting.push({ notificationIds: overLimit, seconds: Math.max(60, freeIn) });
  }
  return plan;
}

/**
 * Groups deliveries into mails. If a person has many deliveries that quiet hours have delayed, these become one mail.
 * The others are grouped by conversation; a delivery without one becomes a mail of its own.
 */
function groupIntoMails(deliveries: readonly ClaimedDelivery[]): ClaimedDelivery[][] {
  const held = deliveries.filter((one) => one.held);
  if (held.length > MAX_SEPARATE_HELD) return [held, ...groupIntoMails(deliveries.filter((one) => !one.held))];
  return [...grouped(deliveries, (one) => keyOf(conversationOf(one)) ?? one.notificationId).values()];
}

function mailOf(deliveries: readonly ClaimedDelivery[], recipients: ReadonlyMap<string, MailRecipient>): PlannedMail {
  const [first] = deliveries as [ClaimedDelivery];
  const single = deliveries.length === 1;
  const conversation = conversationOf(first);
  const sameConversation = deliveries.every((one) => keyOf(conversationOf(one)) === keyOf(conversation));
  return {
    messageId: `${single ? 'notification' : 'joined'}.${first.notificationId}`,
    recipientId: first.recipientId,
    email: first.address,
    firstName: first.firstName,
    timezone: recipients.get(first.recipientId)?.timezone ?? 'UTC',
    critical: first.critical,
    repeatable: single && unknownMailOf(first.notificationType) === 'again',
    notificationIds: deliveries.map(({ notificationId }) => notificationId),
    deliveries,
    conversation: sameConversation ? conversation : null,
  };
}

/** Returns the thread of a forum delivery. */
const conversationOf = ({ category, subjectType, subjectId }: ClaimedDelivery) =>
  category === 'forum' ? { type: subjectType, id: subjectId } : null;

const keyOf = (conversation: PlannedMail['conversation']): string | null =>
  conversation && `${conversation.type}.${conversation.id}`;

function grouped<T>(list: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}
