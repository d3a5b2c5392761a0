import {
  dailyProcess,
  keepsRows,
  type ProcessContract,
  type ScheduledProcess,
  scheduledProcess,
  type TenantInput,
} from './process.js';

export interface MarkOverdueInput extends TenantInput {
  /** The organization's own date, YYYY-MM-DD. It is a part of the workflow id, so that a day is marked once. */
  day: string;
}

/** Marks one organization's past-due invoices and notifies their payers. */
export const markOverdue = {
  ...dailyProcess,
  name: 'markOverdue',
  kind: 'overdue_marking',
  workflowId: ({ organizationId, day }) => `overdue/${organizationId}/${day}`,
  // An invoice may become overdue later on the same day. The process is then started again with the same workflow id.
  allowRestart: true,
  summary: 'Mark past-due invoices of one organization',
  stages: { marking: 'Past-due invoices are being marked and their payers notified, in batches.' },
  ends: { marked: 'All past-due invoices are marked.' },
  steps: { markNextOverduePage: 'the next past-due invoices to be marked' },
  cancel: {
    ...keepsRows,
    says: 'Invoices already marked stay marked, and notifications already sent stay. The next scheduled run marks the other invoices.',
  },
} as const satisfies ProcessContract<MarkOverdueInput, 'marked'>;

/**
 * Starts overdue marking for every organization that has something to mark. Started by a Schedule; belongs to no
 * organization.
 */
export const markOverdueEverywhere = {
  ...scheduledProcess,
  name: 'markOverdueEverywhere',
  kind: 'overdue_schedule',
  // Hourly, because it is midnight in some time zone every hour. The database decides which organizations have a new
  // day, so one run makes up for all missed runs.
  schedule: { id: 'mark-overdue', calendars: [{ minute: 5, hour: '*' }], catchupWindow: '1 hour' },
  summary: 'Find organizations with past-due invoices, by their own date',
  stages: { listing: 'Overdue marking is being started for organizations with past-due invoices.' },
  ends: { listed: 'Overdue marking is started for every organization with past-due invoices.' },
  steps: { listOrganizationsToMark: 'the list of organizations with past-due invoices' },
  cancel: {
    ...keepsRows,
    says: 'Processes already started continue. The next scheduled run starts the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
