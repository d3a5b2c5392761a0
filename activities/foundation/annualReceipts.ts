/** Steps that issue and mail annual receipts. */
import { type MailPort, MailRefused, MailUnavailable } from '../../gateways/mail/port.js';
import { inTenant } from '../../models/database/tenancy.js';
import type { AnnualRunStatus } from '../../models/foundation/receipts/AnnualReceiptRun.js';
import {
  cancelAnnualReceipts as cancelRun,
  completeAnnualReceipts,
  issueNextAnnualReceipts as issueNext,
} from '../../models/foundation/receipts/issueAnnualReceipts.js';
import {
  claimAnnualMails,
  concludeAnnualMails,
  handOverWaitingMails,
  type PostponedMail,
  type SentAnnualMail,
} from '../../models/foundation/receipts/mailAnnualReceipts.js';
import type { ReceiptMail } from '../../models/foundation/receipts/mailReceipt.js';
import { hasDueAnnualReceipts, startDueAnnualReceipts } from '../../models/foundation/receipts/startAnnualReceipts.js';
import type { MailResult } from '../../models/notifications/mail/claimMails.js';
import { type MailSender, readMailSender } from '../../models/notifications/settings/readMailSender.js';
import { organizationsByDay } from '../../models/organizations/organizationsByDay.js';
import type { AnnualReceiptsInput } from '../../workflows/contracts/annualReceipts.js';
import { refusedMail } from '../notifications/mailResults.js';
import { withMailOf } from '../notifications/organizationMail.js';
import { receiptMail } from './receiptMail.js';

type Page = AnnualReceiptsInput & { after: string | null };

/**
 * Issues the annual receipts of one page of donors in one transaction.
 * @returns the cursor of the next page; null after the last
 */
export const issueNextAnnualReceipts = ({ organizationId, runId, after }: Page): Promise<string | null> =>
  inTenant(organizationId, () => issueNext(runId, after));

/**
 * Mails the receipts of one page of donors, outside of any transaction, and records the outcomes. A repeated run mails
 * only what still waits.
 * @throws MailUnavailable while the mail server accepts no mail at all
 */
export async function mailAnnualReceipts({
  organizationId,
  runId,
  after,
  upTo,
}: Page & { upTo: string }): Promise<void> {
  const sending = await inTenant(organizationId, readMailSender);
  let cursor = after;
  let sent: SentAnnualMail[] = [];
  for (;;) {
    const { mails, last } = await inTenant(organizationId, async () => {
      await concludeAnnualMails(sent);
      return claimAnnualMails({ runId, after: cursor, upTo });
    });
    if (last === null) return;
    cursor = last;
    const attempts = await withMailOf(organizationId, sending, (port) =>
      Promise.all(mails.map((mail) => trySending(port, sending, mail))),
    );
    const outage = outageOf(attempts);
    sent = attempts.map(({ mail, result, failure }) => ({
      mail,
      result: result ?? postponed(failure, outage !== null),
    }));
    if (outage === null) continue;
    await inTenant(organizationId, () => concludeAnnualMails(sent));
    throw outage;
  }
}

type Attempt = { mail: ReceiptMail } & (
  | { result: MailResult; failure?: never }
  | { result?: never; failure: MailUnavailable }
);

async function trySending(port: MailPort, sending: MailSender, mail: ReceiptMail): Promise<Attempt> {
  const { mailId } = mail;
  try {
    await port.send(await receiptMail(sending, mail));
    return { mail, result: { mailId, outcome: 'sent' } };
  } catch (error) {
    if (error instanceof MailUnavailable) return { mail, failure: error };
    if (!(error instanceof MailRefused)) throw error;
    return { mail, result: refusedMail(mailId, error) };
  }
}

/**
 * Returns the failure if the server accepts no mail at the moment: several mails failed, and none was answered. A single
 * mail is not enough, because its recipient alone may cause the failure.
 */
function outageOf(attempts: readonly Attempt[]): MailUnavailable | null {
  const isOutage = attempts.length > 1 && attempts.every(({ failure }) => failure?.ofServer);
  return (isOutage && attempts[0]?.failure) || null;
}

/** During an outage this step is repeated. Otherwise the process of the receipt tries again. */
const postponed = ({ mayHaveBeenSent }: MailUnavailable, isOutage: boolean): PostponedMail => ({
  isUnsent: !mayHaveBeenSent,
  isHandedOver: mayHaveBeenSent || !isOutage,
});

/**
 * Completes the run.
 * @returns its final status; the run may have been cancelled, or stopped because the person who confirmed it is no admin
 * of the foundation any more
 */
export const finishAnnualReceipts = ({ organizationId, runId }: AnnualReceiptsInput): Promise<AnnualRunStatus> =>
  inTenant(organizationId, async () => {
    const status = await completeAnnualReceipts(runId);
    await handOverWaitingMails(runId);
    return status;
  });

/** Closes a cancelled run. Receipts already issued stay, and are mailed. */
export const cancelAnnualReceipts = ({ organizationId, runId }: AnnualReceiptsInput): Promise<void> =>
  inTenant(organizationId, async () => {
    await cancelRun(runId);
    await handOverWaitingMails(runId);
  });

/**
 * Starts the runs of one batch of organizations whose donors lack annual receipts. A second run finds the first ones in
 * progress, or their receipts issued.
 * @param after the cursor of the batch
 * @returns the cursor of the next batch; null after the last one
 */
export async function startNextAnnualReceipts(after: string | null): Promise<string | null> {
  const { organizations, next } = await organizationsByDay(after, hasDueAnnualReceipts);
  for (const { organizationId } of organizations) await inTenant(organizationId, startDueAnnualReceipts);
  return next;
}
