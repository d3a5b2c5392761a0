/** Activities that mail account notices. A notice whose mail was sent or refused is closed, and is not mailed again. */
import { MailRefused } from '../../gateways/mail/port.js';
import { inPlatform } from '../../models/database/tenancy.js';
import {
  closeNotice,
  type NoticeOutcome,
  type OpenNotice,
  openNotice,
} from '../../models/identity/notices/accountNotices.js';
import { noticeText } from '../../models/identity/notices/noticeText.js';
import type { AccountNoticeOutcome, SendAccountNoticeInput } from '../../workflows/contracts/sendAccountNotice.js';
import { mail, platformMail } from '../mail.js';

/**
 * Mails a notice outside of any transaction and closes it. After a crash in between, the notice is mailed again with
 * the same Message-ID: a duplicate account notice is better than none.
 */
export const mailAccountNotice = async ({ noticeId }: SendAccountNoticeInput): Promise<AccountNoticeOutcome> => {
  const notice = await inPlatform(() => openNotice(noticeId));
  if (notice === null) return 'gone';
  if (notice.outcome !== null) return notice.outcome;
  const end = notice.expired ? 'expired' : await send(notice);
  return inPlatform(() => closeNotice(noticeId, end));
};

/** Closes a notice that must not be mailed any more. */
export const cancelAccountNotice = ({ noticeId }: SendAccountNoticeInput): Promise<AccountNoticeOutcome> =>
  inPlatform(() => closeNotice(noticeId, 'cancelled'));

async function send(notice: OpenNotice): Promise<NoticeOutcome> {
  try {
    return await mail().send({
      to: notice.email,
      ...platformMail(noticeText(notice)),
      messageId: `account.${notice.id}`,
      // Tells auto-responders not to reply to this mail (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    if (error instanceof MailRefused) return 'refused';
    throw error;
  }
}
