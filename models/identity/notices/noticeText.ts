/** What mail about an account says: a subject without personal data, plain text, and the same as HTML. */
import { config } from '../../../config.js';
import { type NoticeWording, TEXTS } from './texts.js';

export type NoticeKind = keyof typeof TEXTS;

export interface NoticeContent {
  kind: NoticeKind;
  firstName: string;
  /** What the mail names, by `FACT_LABELS`; others are not shown. */
  facts: Record<string, string>;
  secret: string | null;
}

interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** The facts that a mail can show, with what they are called there. */
export const FACT_LABELS: Readonly<Record<string, string>> = {
  email: 'Address',
  device: 'Device',
  ip_address: 'IP address',
  organization: 'Organization',
  chapter: 'Chapter',
  office: 'Office',
  invited_by: 'Invited by',
  provider: 'Provider',
  certificate: 'Certificate (SHA-256)',
  processor: 'Payment processor',
  passkey: 'Passkey',
  administrator: 'Administrator',
  reason: 'Reason',
  at: 'Time',
  until: 'Until',
};

const NOT_YOU =
  'If this was not you, change your password and end your other sessions, or ask an administrator for help.';

/** @throws Error for a link without its secret */
export function noticeText({ kind, firstName, facts, secret }: NoticeContent): MailText {
  const { subject, says, link, ends = NOT_YOU }: NoticeWording = TEXTS[kind];
  if (link?.withSecret && secret === null) throw new Error(`A notice ${kind} needs its secret.`);
  const lines = Object.entries(FACT_LABELS).flatMap(([name, label]) =>
    facts[name] ? [`${label}: ${facts[name]}`] : [],
  );
  const url =
    link &&
    `${config.frontendUrl}${link.path}${link.withSecret ? `?token=${encodeURIComponent(secret as string)}` : ''}`;
  const hello = `Hello ${firstName},`;
  const text = [
    hello,
    ...says,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...(url ? [`${link.label}: ${url}`] : []),
    ends,
  ];
  const html = [
    ...[hello, ...says].map(paragraph),
    ...(lines.length > 0 ? [`<p>${lines.map(escape).join('<br>')}</p>`] : []),
    ...(url ? [`<p><a href="${escape(url)}">${escape(link.label)}</a></p>`] : []),
    paragraph(ends),
  ];
  return { subject, text: text.join('\n\n'), html: page(subject, html.join('\n')) };
}

/** Escapes text for HTML, in elements and in quoted attributes. */
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const paragraph = (text: string): string => `<p>${escape(text)}</p>`;

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title></head>
<body style="font: 16px/1.5 sans-serif; max-width: 36rem">
${body}
</body></html>
`;
