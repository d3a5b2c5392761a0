/** Which mails are made of deliveries: one each, or one of many, so that nobody is mailed more than they read. */
import type { ClaimedDelivery } from '../deliveries/claimDeliveries.js';
import { unknownMailOf } from '../types.js';
import type { MailToClaim } from './claimMails.js';
import type { MailRecipient } from './recipients.js';

/** So many that quiet hours or the hour's measure held go out as they are; of more one mail is made. */
const HELD_SINGLY = 3;

export interface PlannedMail extends MailToClaim {
  firstName: string | null;
  timezone: string;
  deliveries: readonly ClaimedDelivery[];
  /** The conversation that all of it is about. */
  conversation: { type: string; id: string } | null;
}

export interface MailPlan {
  mails: PlannedMail[];
  /** What is more than somebody gets in an hour, with the seconds until there is room. */
  waiting: { notificationIds: string[]; seconds: number }[];
}

/** @param claimed in the order in which they are to go out. @param recipients of all of them, by id */
export function planMails(
  claimed: readonly ClaimedDelivery[],
  recipients: ReadonlyMap<string, MailRecipient>,
): MailPlan {
  const plan: MailPlan = { mails: [], waiting: [] };
  for (const delivery of claimed.filter((one) => one.critical)) plan.mails.push(mailOf([delivery], recipients));
  const others = claimed.filter((one) => !one.critical);
  for (const [recipientId, theirs] of grouped(others, (one) => one.recipientId)) {
    const mails = joined(theirs).map((deliveries) => mailOf(deliveries, recipients));
    const { left, freeIn } = recipients.get(recipientId) ?? { left: 0, freeIn: 3_600 };
    plan.mails.push(...mails.slice(0, left));
    const beyond = mails.slice(left).flatMap(({ notificationIds }) => notificationIds);
    if (beyond.length > 0) plan.waiting.push({ notificationIds: beyond, seconds: Math.max(60, freeIn) });
  }
  return plan;
}

/** What was held long is one mail; of the rest what is about one conversation is. */
function joined(deliveries: readonly ClaimedDelivery[]): ClaimedDelivery[][] {
  const held = deliveries.filter((one) => one.held);
  if (held.length > HELD_SINGLY) return [held, ...joined(deliveries.filter((one) => !one.held))];
  return [...grouped(deliveries, (one) => keyOf(conversationOf(one)) ?? one.notificationId).values()];
}

function mailOf(deliveries: readonly ClaimedDelivery[], recipients: ReadonlyMap<string, MailRecipient>): PlannedMail {
  const [first] = deliveries as [ClaimedDelivery];
  const single = deliveries.length === 1;
  const conversation = conversationOf(first);
  const together = deliveries.every((one) => keyOf(conversationOf(one)) === keyOf(conversation));
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
    conversation: together ? conversation : null,
  };
}

/** What is told of a forum belongs to the thread that it is about. */
const conversationOf = ({ category, subjectType, subjectId }: ClaimedDelivery) =>
  category === 'forum' ? { type: subjectType, id: subjectId } : null;

const keyOf = (conversation: PlannedMail['conversation']): string | null =>
  conversation && `${conversation.type}.${conversation.id}`;

function grouped<T>(list: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}
