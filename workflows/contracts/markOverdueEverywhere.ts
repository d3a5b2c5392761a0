import type { ScheduledProcess } from './process.js';

/**
 * Starts overdue marking for every organization that has something to mark. Started by a Schedule; belongs to no
 * organization.
 */
export const markOverdueEverywhere = {
  name: 'markOverdueEverywhere',
  kind: 'overdue_schedule',
  taskQueue: 'bulk',
  priority: 4,
  // Hourly: it is midnight in some zone. The database decides which organizations have a new day, so one run makes up
  // for all missed ones.
  schedule: { id: 'mark-overdue', calendars: [{ minute: 5, hour: '*' }], catchupWindow: '1 hour' },
  seenBy: 'platform',
  summary: 'Find organizations with invoices past due by their own date',
  expectedMinutes: 30,
  money: 'never',
  stages: { listing: 'The marking of organizations that have invoices past due is started.' },
  ends: { listed: 'Every organization that has invoices past due has its marking.' },
  steps: { listOrganizationsToMark: 'the organizations to be listed that have invoices past due' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Markings that were started go on; the next run of the schedule comes to the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
