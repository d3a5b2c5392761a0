import type { ScheduledProcess } from './process.js';

/** Starts the reminders of every organization whose morning it is. Started by a Schedule, for no organization. */
export const invoiceRemindersEverywhere = {
  name: 'invoiceRemindersEverywhere',
  kind: 'invoice_reminders_schedule',
  taskQueue: 'bulk',
  priority: 4,
  // Every hour it is nine o'clock somewhere, after the marking of that hour. One run makes up for all that were missed.
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
