import { MAIL_FAILURES } from './failures.js';
import type { ProcessContract, TenantInput } from './process.js';

export interface SendOverdueNoticesInput extends TenantInput {
  /** The organization's own date on which the invoices were marked, YYYY-MM-DD. */
  day: string;
  /** Id of the first notice of the batch, because invoices may be marked again later on the same day. */
  batchId: string;
}

/**
 * Mails overdue notices, each once. Only earlier releases start this process; it remains so that processes they started
 * can finish.
 */
export const sendOverdueNotices = {
  name: 'sendOverdueNotices',
  kind: 'overdue_notices',
  taskQueue: 'notify',
  priority: 4,
  workflowId: ({ organizationId, day, batchId }) => `overdue-notices/${organizationId}/${day}/${batchId}`,
  allowRestart: false,
  // Notices that were not mailed are included when more invoices are marked, as the cancellation text says.
  recoveredBy: 'schedule',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'organization', id: 'organizationId' },
  chapterId: () => null,
  summary: 'Mail the overdue notices of one organization',
  expectedMinutes: 60,
  money: 'never',
  stages: {
    mailing: 'Notices are mailed, one after another.',
    closing: 'All pending notices are mailed. Mails with an unknown outcome are being closed.',
  },
  ends: { mailed: 'Every notice is mailed, or the reason why not is recorded.' },
  steps: {
    mailNextNotices: 'the mail server to accept the next notices',
    closeUncertainNotices: 'mails with an unknown outcome to be closed',
  },
  sleepsUntil: 'a few minutes, in which an earlier mail may still prove to be sent',
  failures: {
    ...MAIL_FAILURES,
    NoticesDeferred: { code: 'mail_deferred', detail: 'A mail server deferred some of the mails.' },
  },
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Notices not mailed yet are included when the next invoices of this organization are marked.',
  },
  example: (newId) => ({ day: '1999-12-31', batchId: newId() }),
} as const satisfies ProcessContract<SendOverdueNoticesInput, 'mailed'>;
