/** Steps of overdue marking and its notices. Each step reads its remaining work from the rows. */
import { type Mail, MailRefused, MailUnavailable } from '../../gateways/mail/port.js';
import { inTenant } from '../../models/database/tenancy.js';
import { remindOfEvidence } from '../../models/finances/disputes/remindOfEvidence.js';
import { markInvoicesOverdue } from '../../models/finances/overdue/markInvoicesOverdue.js';
import {
  type ClaimedNotice,
  claimNotice,
  closeOldClaims,
  type NoticeOutcome,
  recordNotice,
  releaseNotice,
} from '../../models/finances/overdue/notices.js';
import { noticeText } from '../../models/finances/overdue/noticeText.js';
import { organizationsToMark } from '../../models/finances/overdue/organizationsToMark.js';
import type { OrganizationBatch } from '../../models/organizations/organizationsByDay.js';
import type { MarkOverdueInput } from '../../workflows/contracts/markOverdue.js';
import type { SendOverdueNoticesInput } from '../../workflows/contracts/sendOverdueNotices.js';
import { mail } from '../mail.js';

/** Maximum number of mails per run of the step. It keeps a run, and the workflow's history, short. */
const BATCH_SIZE = 50;

/**
 * Lists organizations, after the cursor `after`, that have invoices to mark or disputes to remind of, by their own
 * date.
 */
export const listOrganizationsToMark = (after: string | null): Promise<OrganizationBatch> => organizationsToMark(after);

/**
 * Marks one batch of invoices, and sends reminders of disputes that need evidence.
 * @returns the number of invoices marked
 */
export const markNextOverduePage = async ({ organizationId, day }: MarkOverdueInput): Promise<number> => {
  const marked = await inTenant(organizationId, () => markInvoicesOverdue(day));
  await inTenant(organizationId, remindOfEvidence);
  return marked;
};

/**
 * Mails pending notices one after another.
 * @returns whether there may be more
 */
export const mailNextNotices = ({ organizationId }: SendOverdueNoticesInput): Promise<boolean> =>
  mailBatch(organizationId);

async function mailBatch(organizationId: string): Promise<boolean> {
  const deferred: string[] = [];
  for (let mailed = 0; mailed < BATCH_SIZE; ) {
    const notice = await inTenant(organizationId, () => claimNotice(deferred));
    if (!notice) {
      if (deferred.length > 0) throw new NoticesDeferred(deferred.length);
      return false;
    }
    const outcome = await attempt(notice);
    if (outcome instanceof MailUnavailable) {
      await inTenant(organizationId, () => releaseNotice(notice.id));
      // A reply code concerns this message only; without one, the server accepts no message.
      if (!/^\d{3}$/.test(outcome.reason)) throw outcome;
      deferred.push(notice.id);
    } else {
      await inTenant(organizationId, () => recordNotice(notice.id, outcome));
      mailed += 1;
    }
  }
  return true;
}

/**
 * Closes expired claims with the outcome `unknown`.
 * @returns seconds until the next claim expires; 0 when none remains
 */
export const closeUncertainNotices = ({ organizationId }: SendOverdueNoticesInput): Promise<number> =>
  inTenant(organizationId, closeOldClaims);

/** Thrown when the mail server has deferred some mails. */
class NoticesDeferred extends Error {
  override readonly name = 'NoticesDeferred';
  constructor(count: number) {
    super(`A mail server deferred ${count} notices.`);
  }
}

async function attempt(notice: ClaimedNotice): Promise<NoticeOutcome | MailUnavailable> {
  if (!notice.stillDue || !notice.email) return 'skipped';
  try {
    return await mail().send(noticeMail(notice, notice.email));
  } catch (error) {
    if (error instanceof MailRefused) return 'failed';
    if (!(error instanceof MailUnavailable)) throw error;
    if (error.mayHaveBeenSent) return 'unknown';
    return notice.expired ? 'failed' : error;
  }
}

const noticeMail = (notice: ClaimedNotice, to: string): Mail => ({
  to,
  ...noticeText(notice),
  messageId: `overdue.${notice.id}`,
  // RFC 3834: auto-responders do not answer it.
  headers: { 'Auto-Submitted': 'auto-generated' },
});
