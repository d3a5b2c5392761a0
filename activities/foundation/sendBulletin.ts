/** Steps that mail a bulletin of the foundation to its recipients. */
import { type MailPort, MailRefused, MailUnavailable } from '../../gateways/mail/port.js';
import { inTenant } from '../../models/database/tenancy.js';
import { stopRound } from '../../models/foundation/bulletins/moveBulletin.js';
import {
  beginSending,
  type BulletinStep,
  type ClaimedRecipient,
  endSending,
  recordAndClaimRecipients,
  type RecipientResult,
  releaseRecipients,
  type SendingRound,
} from '../../models/foundation/bulletins/sendRound.js';
import { bulletinUnsubscribeUrl } from '../../models/foundation/bulletins/unsubscribe.js';
import { type MailSender, readMailSender } from '../../models/notifications/settings/readMailSender.js';
import type { FoundationBulletinInput } from '../../workflows/contracts/foundationBulletin.js';
import { previousAttempts } from '../attempts.js';
import { refusedMail } from '../notifications/mailResults.js';
import { organizationMail, withMailOf } from '../notifications/organizationMail.js';

/** Maximum number of mails that are claimed and have no outcome yet. A crash leaves their outcome unknown. */
const MAX_IN_FLIGHT = 10;
/** A step continues for this time, because a workflow task costs more than claiming recipients. */
const MAX_STEP_MS = 5_000;

/**
 * Mails the next recipients of a round for some seconds.
 * @throws MailUnavailable when no server answers; recipients whose mail no server has are then claimed again later
 */
export const mailNextRecipients = async ({
  organizationId,
  bulletinId,
  round,
}: FoundationBulletinInput): Promise<BulletinStep> => {
  const { sending, sender } = await inTenant(organizationId, async () => ({
    sending: await beginSending(bulletinId, Number(round)),
    sender: await readMailSender(),
  }));
  if (!('content' in sending)) return sending;
  await withMailOf(organizationId, sender, (port) => new BulletinBatch(organizationId, sending, sender, port).send());
  return inTenant(organizationId, () => endSending(sending));
};

/** Stops a bulletin whose process was cancelled. */
export const stopBulletinMails = ({ organizationId, bulletinId, round }: FoundationBulletinInput): Promise<void> =>
  inTenant(organizationId, () => stopRound(bulletinId, Number(round)));

/** Sends mails of a round concurrently. While some are being sent, others are recorded and claimed. */
class BulletinBatch {
  private readonly until = Date.now() + MAX_STEP_MS;
  private readonly pending = new Set<Promise<void>>();
  /** Mails that were sent and whose outcome is not recorded yet. */
  private results: RecipientResult[] = [];
  /** Mails that no server has. */
  private unsent: ClaimedRecipient[] = [];
  /** The last address that was looked at; the empty text before the first one. */
  private after = '';
  private isDone = false;
  private stop: Error | undefined;
  /** After a failed attempt, one mail tests whether the server works again. */
  private limit = previousAttempts() > 0 ? 1 : MAX_IN_FLIGHT;

  constructor(
    private readonly organizationId: string,
    private readonly sending: SendingRound,
    private readonly sender: MailSender,
    private readonly port: MailPort,
  ) {}

  /** Sends until no recipient is left, time is up, or no server answers. @throws MailUnavailable */
  async send(): Promise<void> {
    while (this.canContinue()) {
      if (this.pending.size * 2 <= this.limit) await this.recordAndClaim(this.limit - this.pending.size);
      else await Promise.race(this.pending);
    }
    await Promise.all(this.pending);
    if (this.results.length > 0) await this.recordAndClaim(0);
    if (this.unsent.length > 0) await inTenant(this.organizationId, () => releaseRecipients(this.sending, this.unsent));
    if (this.stop) throw this.stop;
  }

  private canContinue(): boolean {
    return !this.isDone && !this.stop && Date.now() < this.until;
  }

  private async recordAndClaim(limit: number): Promise<void> {
    const results = this.results;
    this.results = [];
    try {
      const request = { limit, after: this.after };
      const { claimed, last } = await recordAndClaimRecipients(this.organizationId, this.sending, results, request);
      // After the last address it looks at all recipients once more: the rows decide whether any is left.
      this.isDone = last === null && this.after === '';
      this.after = last ?? '';
      for (const recipient of claimed) this.startSending(recipient);
    } catch (error) {
      // The transaction failed. Keep the outcomes, so that they are recorded with those of the mails in flight.
      this.results.push(...results);
      this.stop ??= error as Error;
    }
  }

  private startSending(recipient: ClaimedRecipient): void {
    const sent = this.attempt(recipient)
      .catch((error: Error) => {
        this.unsent.push(recipient);
        this.stop ??= error;
      })
      .finally(() => this.pending.delete(sent));
    this.pending.add(sent);
  }

  private async attempt(recipient: ClaimedRecipient): Promise<void> {
    const { recipientId, mailId } = recipient;
    const mail = this.mailOf(recipient);
    try {
      await this.port.send(mail);
      this.conclude({ recipientId, mail: { mailId, outcome: 'sent' }, reason: null });
    } catch (error) {
      if (error instanceof MailRefused) {
        this.conclude({ recipientId, mail: refusedMail(mailId, error), reason: null });
        return;
      }
      if (!(error instanceof MailUnavailable)) throw error;
      if (error.ofServer) this.stop ??= error;
      if (error.mayHaveBeenSent) this.results.push({ recipientId, mail: { mailId, outcome: 'unknown' }, reason: null });
      else if (error.ofServer) this.unsent.push(recipient);
      else this.conclude({ recipientId, mail: { mailId, outcome: 'failed' }, reason: 'server_unavailable' });
    }
  }

  /** Keeps an outcome to be recorded. The server answered, so it works. */
  private conclude(result: RecipientResult): void {
    this.results.push(result);
    this.limit = MAX_IN_FLIGHT;
  }

  private mailOf({ recipientId, mailId, messageId, email: to }: ClaimedRecipient) {
    const unsubscribeUrl = bulletinUnsubscribeUrl({ organizationId: this.organizationId, recipientId });
    const letter = { ...this.sending.content, to, messageId, mailId, unsubscribeUrl, firstName: null, timezone: 'UTC' };
    return organizationMail(this.sender, letter);
  }
}
