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
  allowRestart: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'platform',
  subject: { type: 'account_notice', id: 'noticeId' },
  chapterId: () => null,
  summary: 'Mail one notice about an account',
  expectedMinutes: 10,
  money: 'never',
  stages: { mailing: 'The notice is being mailed.' },
  ends: {
    sent: 'The mail server accepted the notice.',
    refused: 'The mail server rejects this address.',
    expired: 'No mail server accepted the notice before it expired.',
    cancelled: 'The notice was cancelled.',
    gone: 'The recipient no longer exists.',
  },
  steps: {
    mailAccountNotice: 'the mail server to accept the notice',
    cancelAccountNotice: 'the notice to be closed unsent',
  },
  sleepsUntil: null,
  failures: MAIL_FAILURES,
  // An admin who acted on an account must not be able to stop the mail about it.
  cancel: {
    when: 'never',
    says: 'The person must receive this notice. A notice that no mail server accepts expires.',
  },
  example: (newId) => ({ noticeId: newId() }),
} as const satisfies ProcessContract<SendAccountNoticeInput, AccountNoticeOutcome>;
