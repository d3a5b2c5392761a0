import { metered } from '../../../gateways/mail/metered.js';
import { type Mail, MailRefused, type MailStep, MailUnavailable } from '../../../gateways/mail/port.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { returnPathOf } from '../../../models/notifications/mail/returnPath.js';
import type { MailSender } from '../../../models/notifications/settings/readMailSender.js';

export interface TestOutcome {
  sent_to: string;
  failed_step: MailStep | null;
  answer: string | null;
}

/**
 * Sends a test mail to a person, with the same sender, server and return path as other mail of the organization. Runs outside of any
 * transaction.
 */
export async function sendTest(
  { from, replyTo, smtp }: MailSender,
  to: string,
  content: Pick<Mail, 'subject' | 'text' | 'html'>,
): Promise<TestOutcome> {
  // The SMTP client is large, and only tests need it in this process.
  const [{ ownSmtp }, { smtpMail }] = await Promise.all([
    import('../../../gateways/mail/ownSmtp.js'),
    import('../../../gateways/mail/smtp.js'),
  ]);
  const port = metered(smtp ? ownSmtp(smtp, from) : smtpMail());
  const id = uuidv7();
  const returnPath = returnPathOf(id);
  const outcome = await port
    .send({
      to,
      from,
      ...content,
      messageId: `test.${id}`,
      ...(replyTo && { replyTo }),
      ...(returnPath && { returnPath }),
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    .then(() => ({ failed_step: null, answer: null }), failure)
    .finally(() => port.close());
  return { sent_to: to, ...outcome };
}

function failure(error: unknown): Omit<TestOutcome, 'sent_to'> {
  if (error instanceof MailUnavailable) return { failed_step: error.step, answer: error.reason };
  if (error instanceof MailRefused) return { failed_step: error.step, answer: error.code?.toString() ?? null };
  throw error;
}
