/** The worker's mail connection, opened at first use. */
import { config } from '../config.js';
import { metered } from '../gateways/mail/metered.js';
import type { MailPort } from '../gateways/mail/port.js';
import { type MailContent, type RenderedMail, renderMail } from '../gateways/mail/render.js';
import { smtpMail } from '../gateways/mail/smtp.js';

let port: MailPort | undefined;

export const mail = (): MailPort => (port ??= metered(smtpMail()));

/** Closes idle connections; the next mail opens new ones. */
export function closeMail(): void {
  port?.close();
  port = undefined;
}

/** Renders a mail of the platform itself, which belongs to no organization. */
export const platformMail = (content: Omit<MailContent, 'sender' | 'timezone'>): RenderedMail =>
  renderMail({ ...content, sender: { name: platformName(), primaryColor: null }, timezone: 'UTC' });

/** Name of the platform: the display name in MAIL_FROM, or all of MAIL_FROM if it has none. */
const platformName = (): string => /^\s*"?([^"<]*[^"<\s])"?\s*</.exec(config.MAIL_FROM)?.[1] ?? config.MAIL_FROM;
