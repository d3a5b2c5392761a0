/**
 * Mails of notifications. A mail is claimed first, sent outside of any transaction, and then closed together with its
 * deliveries.
 */
import { type MailPort, MailRefused, MailUnavailable } from '../../gateways/mail/port.js';
import { inTenant } from '../../models/database/tenancy.js';
import { type ClaimedDelivery, postponeDeliveries } from '../../models/notifications/deliveries/claimDeliveries.js';
import {
  batchDeliveries,
  recordAndClaimMails,
  type MailResult,
  releaseMails,
  rescheduleMail,
} from '../../models/notifications/mail/claimMails.js';
import { type PlannedMail, planMails } from '../../models/notifications/mail/planMails.js';
import { mailRecipients } from '../../models/notifications/mail/recipients.js';
import { readMailSender, type MailSender } from '../../models/notifications/settings/readMailSender.js';
import { refusedMail } from './mailResults.js';
import { letterOf, organizationMail, withMailOf } from './organizationMail.js';

/**
 * Number of mails that this process may have claimed and not closed yet, in addition to one mail for each organization.
 * It is small, because a crash leaves the outcome of claimed mails unknown.
 */
const budget = { free: 9 };
/**
 * Time limit of a batch. It is shorter than the two minutes for which deliveries are claimed, even with a slow server.
 */
const MAX_BATCH_MS = 60_000;
/** A mail that no server accepts within this time fails. */
const GIVE_UP_AFTER_MS = 86_400_000;
const MAX_BACKOFF_SECONDS = 1_800;

/** Outcome of one attempt. */
interface Attempt {
  mailId: string;
  /** Absent when the mail is to be retried. */
  result?: MailResult;
  /** Set if no server accepted the mail: seconds until it is due again. */
  seconds?: number;
  /**
   * Set if a server may have accepted the mail: seconds until it is sent again under the same Message-ID, at the
   * earliest when its claim expires.
   */
  repeatSeconds?: number;
  /** Reason not to try the remaining mails. */
  stop?: Error;
}

/**
 * Sends the mails of claimed deliveries.
 * @throws MailUnavailable when no server answers; untried mails are then due again
 */
export async function sendMails(organizationId: string, claimed: ClaimedDelivery[]): Promise<void> {
  if (claimed.length === 0) return;
  const { sending, mails } = await inTenant(organizationId, () => prepare(claimed));
  const extra = Math.min(budget.free, Math.max(0, mails.length - 1));
  budget.free -= extra;
  try {
    await withMailOf(organizationId, sending, (port) =>
      new MailBatch(organizationId, sending, port, mails).send(1 + extra),
    );
  } finally {
    budget.free += extra;
  }
}

async function prepare(claimed: ClaimedDelivery[]): Promise<{ sending: MailSender; mails: PlannedMail[] }> {
  const sending = await readMailSender();
  const people = [...new Set(claimed.map(({ recipientId }) => recipientId))];
  const { mails, waiting } = planMails(claimed, await mailRecipients(people));
  for (const { notificationIds, seconds } of waiting) await batchDeliveries(notificationIds, seconds);
  return { sending, mails };
}

/** Sends the mails of a batch concurrently. While some are being sent, others are closed and claimed. */
class MailBatch {
  private readonly until = Date.now() + MAX_BATCH_MS;
  private readonly pending = new Set<Promise<void>>();
  /** Mails that were sent and whose outcome is not recorded yet. */
  private results: MailResult[] = [];
  private next = 0;
  private stop: Error | undefined;

  constructor(
    private readonly organizationId: string,
    private readonly sending: MailSender,
    private readonly port: MailPort,
    private readonly mails: readonly PlannedMail[],
  ) {}

  /**
   * Sends all mails of the batch.
   * @param limit maximum number of mails that are claimed and not closed
   * @throws MailUnavailable
   */
  async send(limit: number): Promise<void> {
    while (this.canContinue()) {
      if (this.pending.size + this.results.length < limit || this.results.length * 2 >= limit) {
        await this.claim(this.mails.slice(this.next, this.next + limit - this.pending.size));
      } else await Promise.race(this.pending);
    }
    await Promise.all(this.pending);
    await this.finish(this.mails.slice(this.next));
    if (this.stop) throw this.stop;
  }

  private canContinue(): boolean {
    return this.next < this.mails.length && !this.stop && Date.now() < this.until;
  }

  /** Claims the next mails, closes sent ones in the same transaction, and starts sending. */
  private async claim(mails: readonly PlannedMail[]): Promise<void> {
    const closing = this.results;
    this.results = [];
    this.next += mails.length;
    const ids = await recordAndClaimMails(this.organizationId, closing, mails).catch((error: Error) => {
      // The transaction failed. Keep the outcomes that it was to record, so that they are recorded later with the
      // remaining ones.
      this.results.push(...closing);
      this.stop ??= error;
      return new Map<string, string>();
    });
    for (const mail of mails) {
      const mailId = ids.get(mail.messageId);
      if (mailId) this.startSending(mail, mailId);
    }
  }

  private startSending(mail: PlannedMail, mailId: string): void {
    const sent = this.sendAndRelease(mail, mailId)
      .catch((error: Error) => {
        this.stop ??= error;
      })
      .finally(() => this.pending.delete(sent));
    this.pending.add(sent);
  }

  private async sendAndRelease(mail: PlannedMail, mailId: string): Promise<void> {
    const { result, seconds, repeatSeconds: again, stop } = await this.attempt(mail, mailId);
    this.stop ??= stop;
    if (result) this.results.push(result);
    if (seconds !== undefined) await inTenant(this.organizationId, () => releaseMails([mailId], seconds));
    if (again !== undefined) await inTenant(this.organizationId, () => rescheduleMail(mailId, again));
  }

  private async attempt(mail: PlannedMail, mailId: string): Promise<Attempt> {
    try {
      await this.port.send(organizationMail(this.sending, letterOf(this.organizationId, mail, mailId)));
      return { mailId, result: { mailId, outcome: 'sent' } };
    } catch (error) {
      if (error instanceof MailUnavailable) return { mailId, ...unavailable(mail, mailId, error) };
      if (!(error instanceof MailRefused)) return { mailId, seconds: 0, stop: error as Error };
      return { mailId, result: refusedMail(mailId, error) };
    }
  }

  /** Records the last outcomes, and makes untried mails due again. */
  private async finish(unsent: readonly PlannedMail[]): Promise<void> {
    await recordAndClaimMails(this.organizationId, this.results, []);
    const ids = unsent.flatMap(({ notificationIds }) => notificationIds);
    if (ids.length > 0) await inTenant(this.organizationId, () => postponeDeliveries('email', ids, 0));
  }
}

function unavailable(mail: PlannedMail, mailId: string, error: MailUnavailable): Omit<Attempt, 'mailId'> {
  const [{ firstTriedAt, attempts }] = mail.deliveries as [ClaimedDelivery];
  const isLate = Date.now() - firstTriedAt.getTime() > GIVE_UP_AFTER_MS;
  if (error.mayHaveBeenSent)
    return mail.repeatable && !isLate
      ? { repeatSeconds: backoffSeconds(attempts) }
      : { result: { mailId, outcome: 'unknown' } };
  if (isLate) return { result: { mailId, outcome: 'failed' } };
  return error.ofServer ? { seconds: 0, stop: error } : { seconds: backoffSeconds(attempts) };
}

const backoffSeconds = (attempts: number): number =>
  Math.min(MAX_BACKOFF_SECONDS, 30 * 2 ** (Math.min(10, attempts) - 1));
