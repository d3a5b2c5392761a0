/**
 * Mails the receipts of a run, a batch at a time: claims are stored before sending, and the outcomes of a batch together.
 * A mail that cannot be sent now is handed over to the process of its receipt, which tries again for days.
 */
import { donationReceipt } from '../../../workflows/contracts/index.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { claimMails, type MailResult, recordMails, releaseMails } from '../../notifications/mail/claimMails.js';
import { messageIdOf, type ReceiptMail } from './mailReceipt.js';

/** Number of mails that are claimed, and sent at the same time. After a crash at most these are sent again. */
const MAILS_PER_BATCH = 10;

/** A part of a run: the donors after one and up to another. */
export interface DonorRange {
  runId: string;
  after: string | null;
  upTo: string;
}

export interface AnnualMailBatch {
  /** Mails that the caller must send now. */
  mails: ReceiptMail[];
  /** The last donor of the batch; null if no receipt of the range waits. */
  last: string | null;
}

type WaitingReceipt = Omit<ReceiptMail, 'receipt' | 'mailId' | 'messageId'> &
  ReceiptMail['receipt'] & { donorId: string; isSuppressed: boolean };

/**
 * Claims the next waiting mails of a run. Receipts whose addresses are suppressed or erased become undeliverable.
 * Receipts whose mails another attempt has claimed are handed over.
 */
export async function claimAnnualMails(range: DonorRange): Promise<AnnualMailBatch> {
  const waiting = await rows<WaitingReceipt>(
    `SELECT r.id AS "receiptId", r.donor_id AS "donorId", r.mail_count AS count, r.mail_requested_at AS "requestedAt",
            o.email, o.first_name AS "firstName", r.number, r.amount_cents, r.currency, r.code, r.printed,
            o.email IS NULL OR EXISTS (SELECT FROM mail_suppressions s
              WHERE s.organization_id = $1 AND s.email = lower(o.email)) AS "isSuppressed"
       FROM tax_receipts r JOIN donors o ON o.organization_id = $1 AND o.id = r.donor_id
      WHERE r.organization_id = $1 AND r.annual_run_id = $2 AND ($3::uuid IS NULL OR r.donor_id > $3) AND r.donor_id <= $4
        AND r.mail_status = 'waiting' ORDER BY r.donor_id LIMIT $5`,
    [currentOrganization(), range.runId, range.after, range.upTo, MAILS_PER_BATCH],
  );
  await closeAll(waiting.filter(({ isSuppressed }) => isSuppressed).map(toClose), 'undeliverable');
  const offered = waiting.filter(({ isSuppressed }) => !isSuppressed);
  const mailIds = await claimMails(
    offered.map(({ receiptId, count, email }) => ({
      messageId: messageIdOf(receiptId, count),
      recipientId: null,
      email,
      critical: true,
      repeatable: true,
      notificationIds: [],
    })),
  );
  const mails: ReceiptMail[] = [];
  for (const { number, amount_cents, currency, code, printed, donorId: _, isSuppressed: __, ...row } of offered) {
    const messageId = messageIdOf(row.receiptId, row.count);
    const mailId = mailIds.get(messageId);
    const receipt = { number, amount_cents, currency, code, printed };
    if (mailId) mails.push({ ...row, messageId, mailId, receipt });
    else await handOver(row.receiptId);
  }
  return { mails, last: waiting.at(-1)?.donorId ?? null };
}

/** The next step for a mail whose sending failed, or whose outcome is unknown. */
export interface PostponedMail {
  /** Whether the mail was surely not sent, so that it need not wait until its claim expires. */
  isUnsent: boolean;
  /** Whether the process of the receipt tries again; otherwise the caller does. */
  isHandedOver: boolean;
}

export interface SentAnnualMail {
  mail: ReceiptMail;
  result: MailResult | PostponedMail;
}

/** Records the outcomes of mails. */
export async function concludeAnnualMails(sent: readonly SentAnnualMail[]): Promise<void> {
  const over = sent.flatMap(({ mail, result }) => ('outcome' in result ? [{ ...toClose(mail), result }] : []));
  const isSent = ({ result }: { result: MailResult }) => result.outcome === 'sent';
  await recordMails(over.map(({ result }) => result));
  await closeAll(over.filter(isSent), 'mailed');
  await closeAll(
    over.filter((one) => !isSent(one)),
    'undeliverable',
  );
  const unsent: string[] = [];
  for (const { mail, result } of sent) {
    if ('outcome' in result) continue;
    if (result.isUnsent) unsent.push(mail.mailId);
    if (result.isHandedOver) await handOver(mail.receiptId);
  }
  if (unsent.length > 0) await releaseMails(unsent, 0);
}

/** Hands over all mails of an ended run that still wait, for example because the run was cancelled before it sent them. */
export async function handOverWaitingMails(runId: string): Promise<void> {
  const waiting = await rows<{ id: string }>(
    `SELECT id FROM tax_receipts WHERE organization_id = $1 AND annual_run_id = $2 AND mail_status = 'waiting'`,
    [currentOrganization(), runId],
  );
  for (const { id } of waiting) await handOver(id);
}

const handOver = (receiptId: string): Promise<string> => enqueue(donationReceipt, { receiptId });

const toClose = ({ receiptId, count }: { receiptId: string; count: number }) => ({ receiptId, count });

/**
 * Records the outcome of the mails of several receipts. A mail that was sent counts as mailed, even if its receipt was
 * replaced in the meantime.
 */
const closeAll = (
  closed: readonly { receiptId: string; count: number }[],
  status: 'mailed' | 'undeliverable',
): Promise<unknown> =>
  closed.length === 0
    ? Promise.resolve()
    : rows(
        `UPDATE tax_receipts r SET mail_status = $4, mailed_at = CASE $4 WHEN 'mailed' THEN now() ELSE r.mailed_at END
           FROM unnest($2::uuid[], $3::int[]) AS closed (id, count)
          WHERE r.organization_id = $1 AND r.id = closed.id AND r.mail_count = closed.count
            AND ($4 = 'mailed' OR r.mail_status = 'waiting')`,
        [currentOrganization(), closed.map(({ receiptId }) => receiptId), closed.map(({ count }) => count), status],
      );
