/**
 * `npm run mails`: writes one page for every kind of mail, exactly as it would be sent, to DATA_DIR/mails. Sends
 * nothing.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { platformMail } from '../activities/mail.js';
import { letterOf, organizationMail } from '../activities/notifications/organizationMail.js';
import { config } from '../config.js';
import type { RenderedMail } from '../gateways/mail/render.js';
import '../models/wireAreas.js';
import { NIL } from '../models/database/uuid.js';
import { FACT_LABELS, type NoticeKind, noticeText } from '../models/identity/notices/noticeText.js';
import { TEXTS } from '../models/identity/notices/texts.js';
import type { ClaimedDelivery } from '../models/notifications/deliveries/claimDeliveries.js';
import { CATEGORY_OF, CRITICAL_EVENTS } from '../models/notifications/eventTypes.js';
import { planMails } from '../models/notifications/mail/planMails.js';
import type { MailSender } from '../models/notifications/settings/readMailSender.js';
import { allTypes, type NotificationType } from '../models/notifications/types.js';
import { page } from './standins/kit/html.js';

const SENDING: MailSender = {
  organization: { name: 'Order of the Northern Star', primaryColor: 'hsl(210, 50%, 40%)' },
  from: { name: 'Order of the Northern Star', address: 'no-reply@example.org' },
  replyTo: null,
  aiMayRead: false,
  smtp: null,
  settings: 0,
  isFailing: false,
};

/** Marks the place of a fact in a text: `{amount}` becomes ‹amount›. */
const shown = (text: string): string => text.replaceAll(/\{(\w+)\}/g, '‹$1›');

const delivery = (type: NotificationType, held = false): ClaimedDelivery => ({
  notificationId: NIL,
  notificationType: type.name,
  eventType: type.event,
  category: CATEGORY_OF[type.event],
  critical: CRITICAL_EVENTS.has(type.event),
  recipientId: NIL,
  firstName: 'Sam',
  address: 'sam@example.org',
  title: shown(type.title),
  body: shown(type.body),
  targetUrl: shown(type.path),
  actionLabel: type.action,
  subjectType: type.subject,
  subjectId: NIL,
  held,
  attempts: 1,
  firstTriedAt: new Date(),
  createdAt: new Date(),
});

function notificationMail(deliveries: ClaimedDelivery[]): RenderedMail {
  const sam = { userId: NIL, timezone: 'America/New_York', left: 20, freeIn: 0 };
  const [planned] = planMails(deliveries, new Map([[NIL, sam]])).mails;
  if (!planned) throw new Error('There is nothing to mail.');
  const { subject, text, html = '' } = organizationMail(SENDING, letterOf(NIL, planned, NIL));
  return { subject, text, html };
}

function noticeMail(kind: NoticeKind): RenderedMail {
  const facts = Object.fromEntries(Object.keys(FACT_LABELS).map((name) => [name, `‹${name}›`]));
  return platformMail(noticeText({ kind, firstName: 'Sam', facts, secret: 'token' }));
}

function everyMail(): [string, RenderedMail][] {
  const types = allTypes().toSorted((a, b) => a.name.localeCompare(b.name));
  const waiting = types.filter(({ event }) => !CRITICAL_EVENTS.has(event));
  const many = Array.from({ length: 60 }, (_, n) => delivery(waiting[n % waiting.length] as NotificationType, true));
  return [
    ...types.map((type): [string, RenderedMail] => [type.name, notificationMail([delivery(type)])]),
    ['many-in-one', notificationMail(many)],
    ...(Object.keys(TEXTS) as NoticeKind[]).map((kind): [string, RenderedMail] => [
      `account-${kind}`,
      noticeMail(kind),
    ]),
  ];
}

const folder = path.join(config.dataDir, 'mails');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const mails = everyMail();
for (const [name, { text, html }] of mails) {
  writeFileSync(path.join(folder, `${name}.html`), html ?? '');
  writeFileSync(path.join(folder, `${name}.txt`), text);
}
const list = mails.map(([name]) => `<li><a href="${name}.html">${name}</a> (<a href="${name}.txt">text</a>)</li>`);
writeFileSync(path.join(folder, 'index.html'), page('Mails', `<ul>${list.join('\n')}</ul>`).body);
console.log(`${mails.length} mails are in ${path.join(folder, 'index.html')}`);
process.exit(0);
