import type { ProcessContract, TenantInput } from './process.js';

export interface SendOverdueNoticesInput extends TenantInput {
  /** The organization's own date on which the invoices were marked, YYYY-MM-DD. */
  day: string;
  /** The first notice of the batch: invoices may be marked again later on the same day. */
  batchId: string;
}

/** Mails the overdue notices that wait, each once. */
export const sendOverdueNotices: ProcessContract<SendOverdueNoticesInput> = {
  name: 'sendOverdueNotices',
  kind: 'overdue_notices',
  taskQueue: 'notify',
  workflowId: ({ organizationId, day, batchId }) => `overdue-notices/${organizationId}/${day}/${batchId}`,
  subject: { type: 'organization', id: 'organizationId' },
  summary: 'Mail the overdue notices of one organization',
  priority: 4,
  expectedMinutes: 60,
  steps: {
    mailNextNotices: 'the mail server to take the next notices',
    closeUncertainNotices: 'mails to be accounted for whose outcome nobody knows',
  },
  sleepsUntil: 'a few minutes to pass, in which an earlier mail may still turn out to be sent',
  cancel: { when: 'any_time', says: 'What was not mailed waits for the next notices of this organization.' },
};
