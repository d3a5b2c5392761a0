/** What a mail says, as the text and the HTML of the one layout that all mail shares (templates/). */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { mailColor } from './color.js';

export interface MailItem {
  title: string;
  body?: string;
  url: string;
  at: Date;
  /** What is wanted of the reader; absent: nothing. */
  action?: string;
}

export interface MailContent {
  subject: string;
  /** Whose mail it is: above the text, in their colour. */
  sender: { name: string; primaryColor: string | null };
  /** Absent: it has no name to greet by. */
  firstName: string | null;
  title?: string;
  paragraphs?: readonly string[];
  /** Things to know, by what they have in common. */
  groups?: readonly { title: string; items: readonly MailItem[] }[];
  /** What the groups leave out. */
  more?: string;
  button?: { label: string; url: string };
  /** Why the reader gets it, and what to do about it. */
  footer?: readonly string[];
  unsubscribe?: { label: string; url: string };
  /** The reader's zone, a name of the tz database: moments are told in it. */
  timezone: string;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

type Template = (context: object) => string;

/** @throws Error when the project is not built */
export function renderMail(content: MailContent): RenderedMail {
  const { html, text } = templates();
  const subject = oneLine(content.subject);
  const context = {
    ...content,
    subject,
    sender: oneLine(content.sender.name),
    color: mailColor(content.sender.primaryColor),
    greeting: content.firstName ? `Hello ${oneLine(content.firstName)},` : 'Hello,',
    title: content.title && oneLine(content.title),
    button: content.button && { ...content.button, label: oneLine(content.button.label) },
    groups: content.groups?.map(({ title, items }) => ({ title, items: items.map(shown(content.timezone)) })),
  };
  return { subject, text: text(context), html: html(context) };
}

const shown = (timezone: string) => (item: MailItem) => ({
  ...item,
  title: oneLine(item.title),
  body: item.body && oneLine(item.body),
  at: moment(item.at, timezone),
});

/** Text of data as one line: in a header a line break begins another header, in a text another item. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** A moment in somebody's zone, named, since the reader may be elsewhere. */
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

let loaded: { html: Template; text: Template } | undefined;

/** The build made them: this file runs from `dist/`, or beside it. */
function templates(): { html: Template; text: Template } {
  if (loaded) return loaded;
  const root = path.join(__dirname, '../..');
  const places = [path.join(root, 'mail-templates.js'), path.join(root, 'dist/mail-templates.js')];
  const file = places.find((place) => existsSync(place));
  if (!file) throw new Error('The templates of mail are not compiled: npm run build.');
  loaded = createRequire(__filename)(file) as { html: Template; text: Template };
  return loaded;
}
