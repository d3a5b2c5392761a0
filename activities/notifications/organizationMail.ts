/** Mail of one organization: its server, sender and content. */
import { config } from '../../config.js';
import { metered } from '../../gateways/mail/metered.js';
import { ownSmtp } from '../../gateways/mail/ownSmtp.js';
import { type Mail, type MailPort, MailRefused, MailUnavailable } from '../../gateways/mail/port.js';
import { type MailContent, renderMail } from '../../gateways/mail/render.js';
import { inTenant } from '../../models/database/tenancy.js';
import type { ClaimedDelivery } from '../../models/notifications/deliveries/claimDeliveries.js';
import { CATEGORIES, type Category, type EventType } from '../../models/notifications/eventTypes.js';
import type { PlannedMail } from '../../models/notifications/mail/planMails.js';
import { returnPathOf } from '../../models/notifications/mail/returnPath.js';
import { type UnsubscribeScope, unsubscribeUrl } from '../../models/notifications/mail/unsubscribeTokens.js';
import { clearServerFailure, recordServerFailure } from '../../models/notifications/settings/mailServer.js';
import type { Sending } from '../../models/notifications/settings/readSending.js';
import { mail } from '../mail.js';

/** Items listed in one mail; the mail says how many more there are. */
const MOST_ITEMS = 50;

/** Runs `work` with the organization's mail server, and records whether its dedicated server accepts mail. */
export async function withMailOf<T>(
  organizationId: string,
  sending: Sending,
  work: (port: MailPort) => Promise<T>,
): Promise<T> {
  if (sending.smtp === null) return work(mail());
  const server = new Watched(metered(ownSmtp(sending.smtp, sending.from)));
  try {
    return await work(server);
  } finally {
    server.close();
    await server.note(organizationId, sending);
  }
}

/** Counts a server that accepted one mail as working, even where other mails failed. */
class Watched implements MailPort {
  private works = false;
  private failure: MailUnavailable | undefined;

  constructor(private readonly port: MailPort) {}

  async send(given: Mail): Promise<'sent'> {
    try {
      const sent = await this.port.send(given);
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

  async note(organizationId: string, { settings, isFailing }: Sending): Promise<void> {
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
  conversation?: string;
  /** Absent for mail that an unsubscribe link cannot end. */
  unsubscribe?: { organizationId: string; userId: string; scope: UnsubscribeScope };
}

/** Converts a letter to a mail from the organization. */
export function organizationMail(sending: Sending, letter: Letter): Mail {
  const { to, messageId, mailId, conversation, unsubscribe, ...content } = letter;
  const url = unsubscribe && unsubscribeUrl(unsubscribe);
  const returnPath = returnPathOf(mailId);
  return {
    ...renderMail({
      ...content,
      sender: sending.organization,
      footer: [
        sending.organization.name,
        `What reaches you, and when, is up to you: ${config.frontendUrl}/settings/notifications`,
      ],
      ...(url && { unsubscribe: { label: 'Unsubscribe', url } }),
    }),
    from: sending.from,
    to,
    messageId,
    ...(sending.replyTo && { replyTo: sending.replyTo }),
    ...(returnPath && { returnPath }),
    ...(conversation && { conversation }),
    ...(url && { unsubscribeUrl: url }),
    // RFC 3834: auto-responders do not answer it.
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
    ...(deliveries.length === 1 ? oneThing(first) : manyThings(deliveries)),
    ...(conversation && { conversation: `${conversation.type}.${conversation.id}` }),
    ...(planned.critical ? {} : { unsubscribe: { organizationId, userId, scope } }),
  };
}

const oneThing = ({ title, body, targetUrl, actionLabel }: ClaimedDelivery) => ({
  subject: title,
  title,
  paragraphs: body === '' ? [] : [body],
  button: { label: actionLabel ?? 'See it', url: `${config.frontendUrl}${targetUrl}` },
});

function manyThings(deliveries: readonly ClaimedDelivery[]) {
  const [first] = deliveries as [ClaimedDelivery];
  return {
    subject: `${first.title} (and ${deliveries.length - 1} more)`,
    title: `${deliveries.length} notifications`,
    ...listOf(deliveries.map((one) => ({ ...one, category: one.category as Category }))),
    button: { label: 'See all', url: `${config.frontendUrl}/notifications` },
  };
}

interface Thing {
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
export function listOf(things: readonly Thing[], total = things.length): Pick<MailContent, 'groups' | 'more'> {
  const urgentFirst = (a: Thing, b: Thing) => Number(b.actionLabel !== null) - Number(a.actionLabel !== null);
  const shown = things.toSorted(urgentFirst).slice(0, MOST_ITEMS);
  const groups = CATEGORIES.flatMap((category) => {
    const items = shown.filter((thing) => thing.category === category).map(itemOf);
    return items.length === 0 ? [] : [{ title: CATEGORY_TITLES[category], items }];
  });
  const left = total - shown.length;
  return { groups, ...(left > 0 && { more: `${left} more` }) };
}

const itemOf = ({ title, body, targetUrl, actionLabel, createdAt }: Thing) => ({
  title,
  body,
  url: `${config.frontendUrl}${targetUrl}`,
  at: createdAt,
  ...(actionLabel !== null && { action: actionLabel }),
});
