/** Texts of mail about an account. The subject holds no personal data. */
import { config } from '../../../config.js';
import { type NoticeWording, TEXTS } from './texts.js';

export type NoticeKind = keyof typeof TEXTS;

export interface NoticeContent {
  kind: NoticeKind;
  firstName: string;
  /** The facts that the mail names, by the keys of `FACT_LABELS`. Other keys are not shown. */
  facts: Record<string, string>;
  secret: string | null;
}

/** The text of one mail; the common mail layout renders it. */
export interface NoticeText {
  subject: string;
  firstName: string;
  paragraphs: string[];
  button?: { label: string; url: string };
  footer: string[];
}

/** Labels of the facts that a mail can show. */
export const FACT_LABELS: Readonly<Record<string, string>> = {
  email: 'Address',
  device: 'Device',
  ip_address: 'IP address',
  organization: 'Organization',
  foundation: 'Foundation',
  applicant: 'Applicant',
  chapter: 'Chapter',
  office: 'Office',
  invited_by: 'Invited by',
  provider: 'Provider',
  certificate: 'Certificate (SHA-256)',
  processor: 'Payment processor',
  mail_server: 'Mail server',
  passkey: 'Passkey',
  administrator: 'Administrator',
  person: 'Person',
  role: 'Role',
  reason: 'Reason',
  at: 'Time',
  until: 'Until',
};

const NOT_YOU =
  'If this was not you, change your password and end your other sessions, or ask an administrator for help.';

/**
 * Builds the text of a notice.
 * @throws Error if its link needs a secret and there is none
 */
export function noticeText({ kind, firstName, facts, secret }: NoticeContent): NoticeText {
  const { subject, says, link, ends = NOT_YOU }: NoticeWording = TEXTS[kind];
  if (link?.withSecret && secret === null) throw new Error(`A notice ${kind} needs its secret.`);
  const lines = Object.entries(FACT_LABELS).flatMap(([name, label]) =>
    facts[name] ? [`${label}: ${facts[name]}`] : [],
  );
  return {
    subject,
    firstName,
    paragraphs: [...says, ...(lines.length > 0 ? [lines.join('\n')] : [])],
    ...(link && { button: { label: link.label, url: buildLinkUrl(link, facts, secret) } }),
    footer: [ends],
  };
}

/** Builds the URL of the mail's link. The path may contain facts such as `slug`. */
function buildLinkUrl(
  { path, withSecret, isOwnPage }: NoticeWording['link'] & object,
  facts: NoticeContent['facts'],
  secret: string | null,
): string {
  const [first, second] = secret?.split('.') ?? [];
  const parts: Record<string, string | undefined> = { ...facts, secret: first, second };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ''));
  const token = withSecret && !path.includes('{secret}') ? `?token=${encodeURIComponent(secret as string)}` : '';
  return `${isOwnPage ? config.backendUrl : config.frontendUrl}${filled}${token}`;
}
