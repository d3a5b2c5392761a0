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
  subjectId: ({ organizationId }) => organizationId,
  summary: 'Mail the overdue notices of one organization',
  priority: 4,
  expectedMinutes: 60,
};
