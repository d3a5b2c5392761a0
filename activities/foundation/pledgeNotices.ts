/** Step that mails the donor of a pledge. */
import { MailRefused, MailUnavailable } from '../../gateways/mail/port.js';
import { inTenant } from '../../models/database/tenancy.js';
import { claimNotice, type NoticeMail, recordNoticeMail } from '../../models/foundation/pledges/mailNotice.js';
import { composeNotice } from '../../models/foundation/pledges/noticeTexts.js';
import { type MailResult, releaseMails } from '../../models/notifications/mail/claimMails.js';
import { type MailSender, readMailSender } from '../../models/notifications/settings/readMailSender.js';
import type { RecurringPledgeInput } from '../../workflows/contracts/recurringPledge.js';
import { mayHaveBeenSent, outcomeOfFailure } from '../notifications/mailResults.js';
import { organizationMail, withMailOf } from '../notifications/organizationMail.js';

/** Interval of retries while the mail server accepts no mail. */
const RETRY_SECONDS = 900;

/**
 * Sends the waiting mails of a pledge, outside of any transaction. A mail server that is away must not delay charges, so
 * the step does not fail then.
 * @returns the seconds until the next attempt; null if no mail waits any more
 */
export const mailPledgeNotices = async ({ organizationId, pledgeId }: RecurringPledgeInput): Promise<number | null> => {
  for (;;) {
    const { sending, step } = await inTenant(organizationId, async () => ({
      sending: await readMailSender(),
      step: await claimNotice(pledgeId),
    }));
    if (step === null) return null;
    if ('seconds' in step) return step.seconds;
    const result = await send(organizationId, sending, step);
    if (!result) return RETRY_SECONDS;
    await inTenant(organizationId, () => recordNoticeMail(step, result));
  }
};

/** @returns null if a later attempt may succeed */
async function send(
  organizationId: string,
  sending: MailSender,
  { mailId, messageId, email, notice }: NoticeMail,
): Promise<MailResult | null> {
  const letter = { to: email, mailId, messageId, firstName: notice.first_name, timezone: 'UTC' };
  const outgoing = organizationMail(sending, { ...letter, ...composeNotice(notice) });
  try {
    await withMailOf(organizationId, sending, (port) => port.send(outgoing));
    return { mailId, outcome: 'sent' };
  } catch (error) {
    if (!(error instanceof MailRefused || error instanceof MailUnavailable)) throw error;
    const outcome = outcomeOfFailure(error, { mailId, requestedAt: notice.requested_at });
    if (outcome) return outcome;
    if (!mayHaveBeenSent(error)) await inTenant(organizationId, () => releaseMails([mailId], 0));
    return null;
  }
}
