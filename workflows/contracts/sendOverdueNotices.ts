import type { ProcessContract, TenantInput } from './process.js';

export interface SendOverdueNoticesInput extends TenantInput {
  day: string;
}

/** Mails the overdue notices that wait, each once. */
export const sendOverdueNotices: ProcessContract<SendOverdueNoticesInput> = {
  name: 'sendOverdueNotices',
  kind: 'overdue_notices',
  taskQueue: 'notify',
  workflowId: ({ organizationId, day }) => `overdue-notices/${organizationId}/${day}`,
  subjectId: ({ organizationId }) => organizationId,
  summary: 'Mail the overdue notices of one organization',
  priority: 4,
  expectedMinutes: 60,
};
