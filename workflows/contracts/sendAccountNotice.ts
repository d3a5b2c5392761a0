import type { PersonInput, ProcessContract } from './process.js';

export interface SendAccountNoticeInput extends PersonInput {
  noticeId: string;
}

/** What became of a notice; `gone`: there is nobody to mail it to. */
export type AccountNoticeOutcome = 'sent' | 'refused' | 'expired' | 'cancelled' | 'gone';

/** Mails one person something about their account. */
export const sendAccountNotice: ProcessContract<SendAccountNoticeInput> = {
  name: 'sendAccountNotice',
  kind: 'account_notice',
  taskQueue: 'notify',
  workflowId: ({ noticeId }) => `account-notice/${noticeId}`,
  subject: { type: 'account_notice', id: 'noticeId' },
  summary: 'Mail one notice about an account',
  priority: 1,
  expectedMinutes: 10,
  steps: {
    mailAccountNotice: 'the mail server to take the notice',
    cancelAccountNotice: 'the notice to be closed unsent',
  },
  cancel: { when: 'any_time', says: 'The notice is not mailed.' },
};
