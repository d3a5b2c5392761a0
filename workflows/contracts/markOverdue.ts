import type { ProcessContract, TenantInput } from './process.js';

export interface MarkOverdueInput extends TenantInput {
  /** The organization's own date, YYYY-MM-DD: names the run, so that a day is marked once. */
  day: string;
}

/** Marks one organization's past-due invoices and notifies their payers. */
export const markOverdue = {
  name: 'markOverdue',
  kind: 'overdue_marking',
  taskQueue: 'bulk',
  priority: 4,
  workflowId: ({ organizationId, day }) => `overdue/${organizationId}/${day}`,
  // Invoices that become overdue later on the same day are marked under the same workflow id.
  allowRestart: true,
  // The schedule finds an organization again while it has something to mark.
  recoveredBy: 'schedule',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'organization', id: 'organizationId' },
  chapterId: () => null,
  summary: 'Mark past-due invoices of one organization',
  expectedMinutes: 30,
  money: 'never',
  stages: { marking: 'Past-due invoices are being marked and their payers notified, in batches.' },
  ends: { marked: 'All past-due invoices are marked.' },
  steps: { markNextOverduePage: 'the next past-due invoices to be marked' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Invoices already marked stay marked, and notifications already sent stay. The next scheduled run marks the other invoices.',
  },
  example: () => ({ day: '1999-12-31' }),
} as const satisfies ProcessContract<MarkOverdueInput, 'marked'>;
