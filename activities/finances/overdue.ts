/** Steps of overdue marking and its notices. Each finds its remaining work from the rows. */
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
import type { OrganizationPage } from '../../models/organizations/organizationsByDay.js';
import type { MarkOverdueInput } from '../../workflows/contracts/markOverdue.js';
import type { SendOverdueNoticesInput } from '../../workflows/contracts/sendOverdueNotices.js';
import { mail } from '../mail.js';

/** Mails per run of the step: a run stays short, and so does the workflow's history. */
const PAGE = 50;

/** Organizations after `after` that have invoices to mark or disputes to remind of, by their own date. */
export const listOrganizationsToMark = (after: string | null): Promise<OrganizationPage> => organizationsToMark(after);

/** Marks one batch and sends reminders of disputes that need evidence. @returns the number of invoices marked */
export const markNextOverduePage = async ({ organizationId, day }: MarkOverdueInput): Promise<number> => {
  const marked = await inTenant(organizationId, () => markInvoicesOverdue(day));
  await inTenant(organizationId, remindOfEvidence);
  return marked;
};

/** Mails waiting notices one after another. @returns whether there may be more */
export const mailNextNotices = ({ organizationId }: SendOverdueNoticesInput): Promise<boolean> =>
  mailPage(organizationId);

async function mailPage(organizationId: string): Promise<boolean> {
  const deferred: string[] = [];
  for (let mailed = 0; mailed < PAGE; ) {
    const notice = await inTenant(organizationId, () => claimNotice(deferred));
    if (!notice) {
      if (deferred.length > 0) throw new NoticesDeferred(deferred.length);
      return false;
    }
    const outcome = await attempt(notice);
    if (outcome instanceof MailUnavailable) {
      await inTenant(organizationId, () => releaseNotice(notice.id));
      // A reply code concerns this message; without one the server is down for every message.
      if (!/^\d{3}$/.test(outcome.reason)) throw outcome;
      deferred.push(notice.id);
    } else {
      await inTenant(organizationId, () => recordNotice(notice.id, outcome));
      mailed += 1;
    }
  }
  return true;
}

/** Marks expired claims as unknown. @returns seconds until the next claim expires; 0 when none is left */
export const closeUncertainNotices = ({ organizationId }: SendOverdueNoticesInput): Promise<number> =>
  inTenant(organizationId, closeOldClaims);

/** The mail server deferred some mails. */
class NoticesDeferred extends Error {
  override readonly name = 'NoticesDeferred';
  constructor(count: number) {
    super(`${count} notices were put off by a mail server.`);
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
