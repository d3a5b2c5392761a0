/** Claims the mails to the donor of a pledge before they are sent, and records their outcomes. */
import { changeRow, now } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { claimMails, type MailResult, readMailClaim, recordMails } from '../../notifications/mail/claimMails.js';
import { isSuppressed } from '../../notifications/mail/suppressions.js';
import type { NoticeFacts } from './noticeTexts.js';
import { PledgeNotice } from './PledgeNotice.js';

interface WaitingNotice extends NoticeFacts {
  id: string;
  /** Null if the donor was erased. */
  email: string | null;
  first_name: string;
  requested_at: Date;
}

/** A mail that the caller must send now. */
export interface NoticeMail {
  mailId: string;
  messageId: string;
  email: string;
  notice: WaitingNotice;
}

/** The next mail of a pledge; the seconds until an earlier attempt to send it expires; or null if no mail waits. */
export type NoticeStep = NoticeMail | { seconds: number } | null;

/** Claims the oldest waiting mail of a pledge. Mails whose outcome is known already are concluded. */
export async function claimNotice(pledgeId: string): Promise<NoticeStep> {
  for (;;) {
    const notice = await readWaiting(pledgeId);
    if (!notice) return null;
    const { id, email } = notice;
    if (email === null || (await isSuppressed(email))) {
      await concludeNotice(id, 'undeliverable');
      continue;
    }
    const messageId = `pledge.${id}`;
    const mail = { messageId, recipientId: null, email, critical: true, repeatable: true, notificationIds: [] };
    const mailId = (await claimMails([mail])).get(messageId);
    if (mailId) return { mailId, messageId, email, notice };
    const claim = await readMailClaim(messageId);
    if (!claim) return { seconds: 1 };
    if (claim.outcome === null) return { seconds: claim.seconds };
    await concludeNotice(id, claim.outcome === 'sent' ? 'mailed' : 'undeliverable');
  }
}

const readWaiting = (pledgeId: string): Promise<WaitingNotice | null> =>
  firstRow<WaitingNotice & Record<string, unknown>>(
    `SELECT n.id, n.kind, n.created_at AS requested_at, g.id AS pledge_id, o.email, g.first_name, c.title AS campaign,
            coalesce(f.legal_name, f.name) AS foundation, f.ein, f.mailing_address, g.amount_cents, g.currency, g.recurring_interval,
            app.local_day_of(f.timezone, g.next_due_at)::text AS next_due_on, g.resume_on::text,
            app.local_day_of(f.timezone, g.cancelled_at)::text AS cancelled_on, g.cancelled_by, g.cancel_reason,
            EXISTS (SELECT FROM pledge_periods d WHERE d.organization_id = n.organization_id AND d.pledge_id = n.pledge_id
                      AND d.n = n.period AND d.status = 'open' AND d.next_try_at IS NOT NULL) AS is_tried_again
       FROM pledge_notices n
       JOIN recurring_pledges g ON g.organization_id = n.organization_id AND g.id = n.pledge_id
       JOIN donors o ON o.organization_id = g.organization_id AND o.id = g.donor_id
       JOIN campaigns c ON c.organization_id = g.organization_id AND c.id = g.campaign_id
       JOIN foundation_configs f ON f.organization_id = g.organization_id
      WHERE n.organization_id = $1 AND n.pledge_id = $2 AND n.status = 'waiting' ORDER BY n.id LIMIT 1`,
    [currentOrganization(), pledgeId],
  );

/** Records the outcome of a mail that was sent or refused. */
export async function recordNoticeMail({ notice }: NoticeMail, result: MailResult): Promise<void> {
  await recordMails([result]);
  await concludeNotice(notice.id, result.outcome === 'sent' ? 'mailed' : 'undeliverable');
}

const concludeNotice = (id: string, status: 'mailed' | 'undeliverable') =>
  changeRow(PledgeNotice, { id, status: 'waiting' }, { status, concluded_at: now });
