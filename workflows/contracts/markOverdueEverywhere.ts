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
  // Hourly, because it is midnight in some time zone every hour. The database decides which organizations have a new
  // day, so one run makes up for all missed runs.
  schedule: { id: 'mark-overdue', calendars: [{ minute: 5, hour: '*' }], catchupWindow: '1 hour' },
  seenBy: 'platform',
  summary: 'Find organizations with past-due invoices, by their own date',
  expectedMinutes: 30,
  money: 'never',
  stages: { listing: 'Overdue marking is being started for organizations with past-due invoices.' },
  ends: { listed: 'Overdue marking is started for every organization with past-due invoices.' },
  steps: { listOrganizationsToMark: 'the list of organizations with past-due invoices' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Processes already started continue. The next scheduled run starts the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
