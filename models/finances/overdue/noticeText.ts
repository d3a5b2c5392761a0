import { config } from '../../../config.js';
import { money } from '../money.js';
import type { ClaimedNotice } from './notices.js';

export interface NoticeText {
  subject: string;
  text: string;
}

/** Composes the text of an overdue notice, without an amount where its reader may not see it. */
export function noticeText(notice: ClaimedNotice): NoticeText {
  const amount = notice.showsAmount ? ` ${money(notice.balanceDueCents, notice.currency)} is due.` : '';
  const lines = [
    `Hello${notice.firstName ? ` ${notice.firstName}` : ''},`,
    '',
    `the invoice "${notice.description}" was due on ${notice.dueDate} and is not fully paid yet.${amount}`,
    '',
    `See and pay it here: ${config.frontendUrl}/invoices/${notice.invoiceId}`,
    '',
    'If you have paid in the meantime, thank you; you need not do anything.',
    '',
    notice.organization,
  ];
  return { subject: `An invoice of ${notice.organization} is overdue`, text: lines.join('\n') };
}
