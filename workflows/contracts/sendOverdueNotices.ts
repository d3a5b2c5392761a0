import { MAIL_FAILURES } from './failures.js';
import type { ProcessContract, TenantInput } from './process.js';

export interface SendOverdueNoticesInput extends TenantInput {
  /** The organization's own date on which the invoices were marked, YYYY-MM-DD. */
  day: string;
  /** The first notice of the batch: invoices may be marked again later on the same day. */
  batchId: string;
}

/** Mails overdue notices, each once. Releases before notifications started it; what they began ends as it would have. */
export const sendOverdueNotices = {
  name: 'sendOverdueNotices',
  kind: 'overdue_notices',
  taskQueue: 'notify',
  priority: 4,
  workflowId: ({ organizationId, day, batchId }) => `overdue-notices/${organizationId}/${day}/${batchId}`,
  livesAgain: false,
  // What was not mailed is told with the next invoices that are marked, as its cancellation says.
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
    closing: 'All that waited are mailed; a mail whose outcome nobody knows is accounted for.',
  },
  ends: { mailed: 'Every notice is mailed, or it is on record why not.' },
  steps: {
    mailNextNotices: 'the mail server to take the next notices',
    closeUncertainNotices: 'mails to be accounted for whose outcome nobody knows',
  },
  sleepsUntil: 'a few minutes to pass, in which an earlier mail may still turn out to be sent',
  failures: {
    ...MAIL_FAILURES,
    NoticesDeferred: { code: 'mail_deferred', detail: 'A mail server wants some of the mails later.' },
  },
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'What was not mailed is told with the next invoices of this organization that are marked.',
  },
  example: (newId) => ({ day: '1999-12-31', batchId: newId() }),
} as const satisfies ProcessContract<SendOverdueNoticesInput, 'mailed'>;
