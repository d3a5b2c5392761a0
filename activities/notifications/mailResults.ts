/** Outcomes of mails that could not be sent. */
import { MailRefused, MailUnavailable } from '../../gateways/mail/port.js';
import type { MailResult } from '../../models/notifications/mail/claimMails.js';

/** Returns the outcome of a mail that the server refused. */
export const refusedMail = (mailId: string, { status, ofRecipient }: MailRefused): MailResult => ({
  mailId,
  outcome: 'failed',
  status,
  ofRecipient,
});

/** Whether a server may have the mail although sending it failed. */
export const mayHaveBeenSent = (error: unknown): boolean => error instanceof MailUnavailable && error.mayHaveBeenSent;

/** Mail servers usually retry for five days (RFC 5321, 4.5.4.1). */
const GIVE_UP_AFTER_MS = 5 * 86_400_000;

/**
 * Returns the outcome of a single mail that could not be sent; null while a later attempt may succeed, which is for five
 * days after the mail was requested.
 */
export function outcomeOfFailure(
  error: unknown,
  { mailId, requestedAt }: { mailId: string; requestedAt: Date },
): MailResult | null {
  if (error instanceof MailRefused) return refusedMail(mailId, error);
  if (Date.now() - requestedAt.getTime() <= GIVE_UP_AFTER_MS) return null;
  return { mailId, outcome: mayHaveBeenSent(error) ? 'unknown' : 'failed' };
}
