import { MAIL_FAILURES } from './failures.js';
import type { PersonInput, ProcessContract } from './process.js';

export interface SendAccountNoticeInput extends PersonInput {
  noticeId: string;
}

/** Outcome of a notice; `gone`: its recipient no longer exists. */
export type AccountNoticeOutcome = 'sent' | 'refused' | 'expired' | 'cancelled' | 'gone';

/** Mails one person a notice about their account. */
export const sendAccountNotice = {
  name: 'sendAccountNotice',
  kind: 'account_notice',
  taskQueue: 'notify',
  priority: 1,
  workflowId: ({ noticeId }) => `account-notice/${noticeId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'platform',
  subject: { type: 'account_notice', id: 'noticeId' },
  chapterId: () => null,
  summary: 'Mail one notice about an account',
  expectedMinutes: 10,
  money: 'never',
  stages: { mailing: 'The notice is mailed.' },
  ends: {
    sent: 'The mail server took the notice.',
    refused: 'The mail server does not take mail for this address.',
    expired: 'No mail server took it before it was news no more.',
    cancelled: 'It was called off.',
    gone: 'There is nobody to mail it to.',
  },
  steps: {
    mailAccountNotice: 'the mail server to take the notice',
    cancelAccountNotice: 'the notice to be closed unsent',
  },
  sleepsUntil: null,
  failures: MAIL_FAILURES,
  // An admin who acted on an account must not be able to stop the mail about it.
  cancel: {
    when: 'never',
    says: 'Its person is to hear of it. What no mail server takes ends when it is news no more.',
  },
  example: (newId) => ({ noticeId: newId() }),
} as const satisfies ProcessContract<SendAccountNoticeInput, AccountNoticeOutcome>;
