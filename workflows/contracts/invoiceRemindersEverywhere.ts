import type { ScheduledProcess } from './process.js';

/**
 * Starts the reminders of every organization where it is morning. Started by a Schedule; belongs to no organization.
 */
export const invoiceRemindersEverywhere = {
  name: 'invoiceRemindersEverywhere',
  kind: 'invoice_reminders_schedule',
  taskQueue: 'bulk',
  priority: 4,
  // Hourly, after the overdue marking of that hour: it is nine o'clock in some zone. One run makes up for all missed
  // ones.
  schedule: { id: 'invoice-reminders', calendars: [{ minute: 10, hour: '*' }], catchupWindow: '1 hour' },
  seenBy: 'platform',
  summary: 'Find organizations whose payers are to be reminded, from their nine o’clock on',
  expectedMinutes: 30,
  money: 'never',
  stages: { listing: 'The reminders of organizations whose morning it is are started.' },
  ends: { listed: 'Every organization with something to remind of has its run.' },
  steps: { listOrganizationsToRemind: 'the organizations to be listed whose payers are to be reminded' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Runs that were started go on; the next run of the schedule comes to the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
