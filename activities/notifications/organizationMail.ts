/** Mail of one organization: its server, sender and content. */
import { config } from '../../config.js';
import { metered } from '../../gateways/mail/metered.js';
import { ownSmtp } from '../../gateways/mail/ownSmtp.js';
import {
  type Mail,
  type MailAttachment,
  type MailPort,
  MailRefused,
  MailUnavailable,
} from '../../gateways/mail/port.js';
import { type MailContent, renderMail } from '../../gateways/mail/render.js';
import { inTenant } from '../../models/database/tenancy.js';
import type { ClaimedDelivery } from '../../models/notifications/deliveries/claimDeliveries.js';
import { CATEGORIES, type Category, type EventType } from '../../models/notifications/eventTypes.js';
import type { PlannedMail } from '../../models/notifications/mail/planMails.js';
import { returnPathOf } from '../../models/notifications/mail/returnPath.js';
import { type UnsubscribeScope, unsubscribeUrl } from '../../models/notifications/mail/unsubscribeTokens.js';
import { clearServerFailure, recordServerFailure } from '../../models/notifications/settings/mailServer.js';
import type { MailSender } from '../../models/notifications/settings/readMailSender.js';
import { mail } from '../mail.js';

/** Maximum number of items listed in one mail. The mail states how many more there are. */
const MAX_ITEMS = 50;

/** Runs `work` with the organization's mail server, and records whether its dedicated server accepts mail. */
export async function withMailOf<T>(
  organizationId: string,
  sending: MailSender,
  work: (port: MailPort) => Promise<T>,
): Promise<T> {
  if (sending.smtp === null) return work(mail());
  const server = new MonitoredPort(metered(ownSmtp(sending.smtp, sending.from)));
  try {
    return await work(server);
  } finally {
    server.close();
    await server.recordHealth(organizationId, sending);
  }
}

/** Observes whether the server works. A server that accepted one mail counts as working, even if other mails failed. */
class MonitoredPort implements MailPort {
  private works = false;
  private failure: MailUnavailable | undefined;

  constructor(private readonly port: MailPort) {}

  async send(outgoing: Mail): Promise<'sent'> {
    try {
      const sent = await this.port.send(outgoing);
      this.works = true;
      return sent;
    } catch (error) {
      if (error instanceof MailUnavailable && error.ofServer) this.failure = error;
      else
        this.works ||= error instanceof MailUnavailable || (error instanceof MailRefused && error.code !== undefined);
      throw error;
    }
  }

  close(): void {
    this.port.close();
  }

  async recordHealth(organizationId: string, { settings, isFailing }: MailSender): Promise<void> {
    const { failure } = this;
    if (this.works && isFailing) await inTenant(organizationId, clearServerFailure);
    if (this.works || !failure) return;
    const { step, reason: answer } = failure;
    await inTenant(organizationId, () => recordServerFailure(settings, { step, answer }));
  }
}

/** Content of a mail and its envelope. */
export interface Letter extends Omit<MailContent, 'sender' | 'unsubscribe' | 'footer'> {
  to: string;
  messageId: string;
  mailId: string;
  /** The name shown above the text. Absent: the name of the organization. */
  sender?: string;
  /**
   * Footer of the mail. Absent: the footer names the organization and the place where users change what they receive.
   */
  footer?: readonly string[];
  attachments?: readonly MailAttachment[];
  /** Id of the conversation to which the mail belongs. */
  conversation?: string;
  /** The mails that the unsubscribe link ends; absent for mail that has no such link. */
  unsubscribe?: { organizationId: string; userId: string; scope: UnsubscribeScope };
  /** An unsubscribe link of another kind. */
  unsubscribeUrl?: string;
}

/** Converts a letter to a mail from the organization. */
export function organizationMail(sending: MailSender, letter: Letter): Mail {
  const { to, messageId, mailId, conversation, unsubscribe, unsubscribeUrl: link, sender, ...rest } = letter;
  const { footer, attachments, ...content } = rest;
  const url = unsubscribe ? unsubscribeUrl(unsubscribe) : link;
  const returnPath = returnPathOf(mailId);
  return {
    ...renderMail({
      ...content,
      sender: { ...sending.organization, ...(sender !== undefined && { name: sender }) },
      footer: footer ?? [
        sending.organization.name,
        `Change which notifications you receive, and when: ${config.frontendUrl}/settings/notifications`,
      ],
      ...(url && { unsubscribe: { label: 'Unsubscribe', url } }),
    }),
    from: sending.from,
    to,
    messageId,
    ...(sending.replyTo && { replyTo: sending.replyTo }),
    ...(returnPath && { returnPath }),
    ...(attachments && { attachments }),
    ...(conversation && { conversation }),
    ...(url && { unsubscribeUrl: url }),
    // Tells auto-responders not to reply to this mail (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** Content of a notification mail: a single notification as it is, several as a list. */
export function letterOf(organizationId: string, planned: PlannedMail, mailId: string): Letter {
  const { deliveries, conversation, recipientId: userId } = planned;
  const [first] = deliveries as [ClaimedDelivery];
  const events = [...new Set(deliveries.map(({ eventType }) => eventType as EventType))];
  const scope: UnsubscribeScope = conversation ? { conversation } : { events };
  return {
    to: planned.email,
    messageId: planned.messageId,
    mailId,
    firstName: planned.firstName,
    timezone: planned.timezone,
    ...(deliveries.length === 1 ? singleNotification(first) : notificationList(deliveries)),
    ...(conversation && { conversation: `${conversation.type}.${conversation.id}` }),
    ...(planned.critical ? {} : { unsubscribe: { organizationId, userId, scope } }),
  };
}

const singleNotification = ({ title, body, targetUrl, actionLabel }: ClaimedDelivery) => ({
  subject: title,
  title,
  paragraphs: body === '' ? [] : [body],
  button: { label: actionLabel ?? 'Open', url: `${config.frontendUrl}${targetUrl}` },
});

function notificationList(deliveries: readonly ClaimedDelivery[]) {
  const [first] = deliveries as [ClaimedDelivery];
  return {
    subject: `${first.title} (and ${deliveries.length - 1} more)`,
    title: `${deliveries.length} notifications`,
    ...groupByCategory(deliveries.map((delivery) => ({ ...delivery, category: delivery.category as Category }))),
    button: { label: 'See all', url: `${config.frontendUrl}/notifications` },
  };
}

interface ListedNotification {
  category: Category;
  title: string;
  body: string;
  targetUrl: string;
  actionLabel: string | null;
  createdAt: Date;
}

const CATEGORY_TITLES: Record<Category, string> = {
  forum: 'Forums',
  election: 'Elections',
  compliance: 'Compliance',
  billing: 'Billing',
  learning: 'Learning',
  recognition: 'Recognition',
  events: 'Events',
  system: 'Your account and organization',
};

/** Groups items by category; items that require an action come first. */
export function groupByCategory(
  notifications: readonly ListedNotification[],
  total = notifications.length,
): Pick<MailContent, 'groups' | 'more'> {
  const urgentFirst = (a: ListedNotification, b: ListedNotification) =>
    Number(b.actionLabel !== null) - Number(a.actionLabel !== null);
  const listed = notifications.toSorted(urgentFirst).slice(0, MAX_ITEMS);
  const groups = CATEGORIES.flatMap((category) => {
    const items = listed.filter((item) => item.category === category).map(itemOf);
    return items.length === 0 ? [] : [{ title: CATEGORY_TITLES[category], items }];
  });
  const omitted = total - listed.length;
  return { groups, ...(omitted > 0 && { more: `${omitted} more` }) };
}

const itemOf = ({ title, body, targetUrl, actionLabel, createdAt }: ListedNotification) => ({
  title,
  body,
  url: `${config.frontendUrl}${targetUrl}`,
  at: createdAt,
  ...(actionLabel !== null && { action: actionLabel }),
});
