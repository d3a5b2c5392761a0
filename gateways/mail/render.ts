/** Renders the text and the HTML of a mail in the layout that all mails share (templates/). */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { mailColor } from './color.js';

export interface MailItem {
  title: string;
  body?: string;
  url: string;
  at: Date;
  /** The action that the reader should take; absent: none. */
  action?: string;
}

export interface MailContent {
  subject: string;
  /** The organization of the mail: its name and colour are shown above the text. */
  sender: { name: string; primaryColor: string | null };
  /** Null: the greeting has no name. */
  firstName: string | null;
  title?: string;
  paragraphs?: readonly string[];
  /** A text that a person wrote, in place of the greeting: sanitized HTML, or null for a mail without an HTML part. */
  body?: { html: string | null; text: string };
  /** Items, grouped by category. */
  groups?: readonly { title: string; items: readonly MailItem[] }[];
  /** A note about the items that are left out. */
  more?: string;
  button?: { label: string; url: string };
  /** Why the reader gets the mail, and how to change that. */
  footer?: readonly string[];
  unsubscribe?: { label: string; url: string };
  /** The reader's time zone (tz database), for the times in the mail. */
  timezone: string;
}

export interface RenderedMail {
  subject: string;
  text: string;
  /** Absent if the mail is plain text. */
  html?: string;
}

type Template = (context: object) => string;

/**
 * Renders a mail.
 * @throws Error if the templates are not built
 */
export function renderMail(content: MailContent): RenderedMail {
  const { html, text } = templates();
  const subject = oneLine(content.subject);
  const { body } = content;
  const context = {
    ...content,
    subject,
    sender: oneLine(content.sender.name),
    color: mailColor(content.sender.primaryColor),
    greeting: body ? '' : content.firstName ? `Hello ${oneLine(content.firstName)},` : 'Hello,',
    title: content.title && oneLine(content.title),
    button: content.button && { ...content.button, label: oneLine(content.button.label) },
    groups: content.groups?.map(({ title, items }) => ({ title, items: items.map(presentItem(content.timezone)) })),
  };
  return { subject, text: text(context), ...(body?.html !== null && { html: html(context) }) };
}

const presentItem = (timezone: string) => (item: MailItem) => ({
  ...item,
  title: oneLine(item.title),
  body: item.body && oneLine(item.body),
  at: moment(item.at, timezone),
});

/** Returns text as one line: a line break would begin another header, or another item of a list. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** Formats a time in the reader's zone, with the name of the zone. */
const moment = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(at);

let cached: { html: Template; text: Template } | undefined;

/**
 * Loads the compiled templates from `dist/`. This code itself runs either from `dist/` or from the sources, so both
 * places are tried.
 */
function templates(): { html: Template; text: Template } {
  if (cached) return cached;
  const root = path.join(__dirname, '../..');
  const candidates = [path.join(root, 'mail-templates.js'), path.join(root, 'dist/mail-templates.js')];
  const file = candidates.find((place) => existsSync(place));
  if (!file) throw new Error('The mail templates are not compiled. Run npm run build.');
  cached = createRequire(__filename)(file) as { html: Template; text: Template };
  return cached;
}
