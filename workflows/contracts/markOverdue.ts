import type { ProcessContract, TenantInput } from './process.js';

export interface MarkOverdueInput extends TenantInput {
  /** The organization's own date, YYYY-MM-DD: names the run, so that a day is marked once. */
  day: string;
}

/** Marks one organization's past-due invoices and queues their notices. */
export const markOverdue: ProcessContract<MarkOverdueInput> = {
  name: 'markOverdue',
  kind: 'overdue_marking',
  taskQueue: 'bulk',
  workflowId: ({ organizationId, day }) => `overdue/${organizationId}/${day}`,
  subject: { type: 'organization', id: 'organizationId' },
  summary: 'Mark past-due invoices of one organization',
  priority: 4,
  expectedMinutes: 30,
  steps: { markNextOverduePage: 'the next past-due invoices to be marked' },
  cancel: { when: 'any_time', says: 'Invoices that were marked stay marked; the schedule comes to the others.' },
};
