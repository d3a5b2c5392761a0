/**
 * Mails of notifications: claimed before they are sent, outside of transactions, and closed with their deliveries.
 */
import { type MailPort, MailRefused, MailUnavailable } from '../../gateways/mail/port.js';
import { inTenant } from '../../models/database/tenancy.js';
import { type ClaimedDelivery, postponeDeliveries } from '../../models/notifications/deliveries/claimDeliveries.js';
import {
  batchDeliveries,
  exchangeMails,
  type MailResult,
  releaseMails,
  repeatMail,
} from '../../models/notifications/mail/claimMails.js';
import { type PlannedMail, planMails } from '../../models/notifications/mail/planMails.js';
import { mailRecipients } from '../../models/notifications/mail/recipients.js';
import { readSending, type Sending } from '../../models/notifications/settings/readSending.js';
import { letterOf, organizationMail, withMailOf } from './organizationMail.js';

/**
 * Claimed and unclosed mails of this process, which a crash leaves with an unknown outcome. Each organization has
 * one, and takes more while some of these are free.
 */
const shared = { free: 9 };
/** Below the two minutes for which deliveries are claimed, even with a slow server. */
const LONGEST_MS = 60_000;
/** After this time a mail that no server accepted is given up. */
const PATIENCE_MS = 86_400_000;
const LONGEST_WAIT_SECONDS = 1_800;

/** Outcome of one attempt. */
interface Attempt {
  mailId: string;
  /** Absent when the mail is to be retried. */
  result?: MailResult;
  /** No server accepted it: seconds until it is due again. */
  seconds?: number;
  /**
   * A server may have accepted it: seconds until it is due under the same Message-ID, at the earliest when its claim
   * expires.
   */
  again?: number;
  /** Why the remaining mails are not tried. */
  stop?: Error;
}

/** @throws MailUnavailable when no server answers; untried mails are then due again */
export async function sendMails(organizationId: string, claimed: ClaimedDelivery[]): Promise<void> {
  if (claimed.length === 0) return;
  const { sending, mails } = await inTenant(organizationId, () => prepare(claimed));
  const more = Math.min(shared.free, Math.max(0, mails.length - 1));
  shared.free -= more;
  try {
    await withMailOf(organizationId, sending, (port) => new Page(organizationId, sending, port, mails).send(1 + more));
  } finally {
    shared.free += more;
  }
}

async function prepare(claimed: ClaimedDelivery[]): Promise<{ sending: Sending; mails: PlannedMail[] }> {
  const sending = await readSending();
  const people = [...new Set(claimed.map(({ recipientId }) => recipientId))];
  const { mails, waiting } = planMails(claimed, await mailRecipients(people));
  for (const { notificationIds, seconds } of waiting) await batchDeliveries(notificationIds, seconds);
  return { sending, mails };
}

/** Mails of a batch, sent concurrently: while some are sent, others are closed and claimed. */
class Page {
  private readonly until = Date.now() + LONGEST_MS;
  private readonly underWay = new Set<Promise<void>>();
  /** Sent, but not recorded yet. */
  private results: MailResult[] = [];
  private next = 0;
  private stop: Error | undefined;

  constructor(
    private readonly organizationId: string,
    private readonly sending: Sending,
    private readonly port: MailPort,
    private readonly mails: readonly PlannedMail[],
  ) {}

  /** @param atOnce mails that may be claimed and unclosed. @throws MailUnavailable */
  async send(atOnce: number): Promise<void> {
    while (this.goesOn()) {
      if (this.underWay.size + this.results.length < atOnce || this.results.length * 2 >= atOnce) {
        await this.claim(this.mails.slice(this.next, this.next + atOnce - this.underWay.size));
      } else await Promise.race(this.underWay);
    }
    await Promise.all(this.underWay);
    await this.finish(this.mails.slice(this.next));
    if (this.stop) throw this.stop;
  }

  private goesOn(): boolean {
    return this.next < this.mails.length && !this.stop && Date.now() < this.until;
  }

  /** Claims the next mails, closes sent ones in the same transaction, and starts sending. */
  private async claim(mails: readonly PlannedMail[]): Promise<void> {
    const closing = this.results;
    this.results = [];
    this.next += mails.length;
    const ids = await exchangeMails(this.organizationId, closing, mails).catch((error: Error) => {
      // Outcomes known so far are recorded again with the remaining ones.
      this.results.push(...closing);
      this.stop ??= error;
      return new Map<string, string>();
    });
    for (const mail of mails) {
      const mailId = ids.get(mail.messageId);
      if (mailId) this.begin(mail, mailId);
    }
  }

  private begin(mail: PlannedMail, mailId: string): void {
    const sent = this.carryOut(mail, mailId)
      .catch((error: Error) => {
        this.stop ??= error;
      })
      .finally(() => this.underWay.delete(sent));
    this.underWay.add(sent);
  }

  private async carryOut(mail: PlannedMail, mailId: string): Promise<void> {
    const { result, seconds, again, stop } = await this.attempt(mail, mailId);
    this.stop ??= stop;
    if (result) this.results.push(result);
    if (seconds !== undefined) await inTenant(this.organizationId, () => releaseMails([mailId], seconds));
    if (again !== undefined) await inTenant(this.organizationId, () => repeatMail(mailId, again));
  }

  private async attempt(mail: PlannedMail, mailId: string): Promise<Attempt> {
    try {
      await this.port.send(organizationMail(this.sending, letterOf(this.organizationId, mail, mailId)));
      return { mailId, result: { mailId, outcome: 'sent' } };
    } catch (error) {
      if (error instanceof MailUnavailable) return { mailId, ...unavailable(mail, mailId, error) };
      if (!(error instanceof MailRefused)) return { mailId, seconds: 0, stop: error as Error };
      const { status, ofRecipient } = error;
      return { mailId, result: { mailId, outcome: 'failed', status, ofRecipient } };
    }
  }

  /** Makes untried mails due again. */
  private async finish(left: readonly PlannedMail[]): Promise<void> {
    await exchangeMails(this.organizationId, this.results, []);
    const ids = left.flatMap(({ notificationIds }) => notificationIds);
    if (ids.length > 0) await inTenant(this.organizationId, () => postponeDeliveries('email', ids, 0));
  }
}

function unavailable(mail: PlannedMail, mailId: string, error: MailUnavailable): Omit<Attempt, 'mailId'> {
  const [{ firstTriedAt, attempts }] = mail.deliveries as [ClaimedDelivery];
  const isLate = Date.now() - firstTriedAt.getTime() > PATIENCE_MS;
  if (error.mayHaveBeenSent)
    return mail.repeatable && !isLate ? { again: waitAfter(attempts) } : { result: { mailId, outcome: 'unknown' } };
  if (isLate) return { result: { mailId, outcome: 'failed' } };
  return error.ofServer ? { seconds: 0, stop: error } : { seconds: waitAfter(attempts) };
}

const waitAfter = (attempts: number): number => Math.min(LONGEST_WAIT_SECONDS, 30 * 2 ** (Math.min(10, attempts) - 1));
