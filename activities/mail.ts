/** The worker's one way out for mail, opened when first used. */
import { metered } from '../gateways/mail/metered.js';
import type { MailPort } from '../gateways/mail/port.js';
import { smtpMail } from '../gateways/mail/smtp.js';

let port: MailPort | undefined;

export const mail = (): MailPort => (port ??= metered(smtpMail()));

/** Closes idle connections; the next mail opens new ones. */
export function closeMail(): void {
  port?.close();
  port = undefined;
}
