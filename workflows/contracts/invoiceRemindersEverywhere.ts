import type { ScheduledProcess } from './process.js';

/**
 * Starts the reminders of every organization whose morning has begun. Started by a Schedule; belongs to no
 * organization.
 */
export const invoiceRemindersEverywhere = {
  name: 'invoiceRemindersEverywhere',
  kind: 'invoice_reminders_schedule',
  taskQueue: 'bulk',
  priority: 4,
  // Hourly, after that hour's overdue marking, because it is nine o'clock in some time zone every hour. One run makes
  // up for all missed runs.
  schedule: { id: 'invoice-reminders', calendars: [{ minute: 10, hour: '*' }], catchupWindow: '1 hour' },
  seenBy: 'platform',
  summary: 'Find organizations whose payers need reminders, from 9:00 local time on',
  expectedMinutes: 30,
  money: 'never',
  stages: { listing: 'Reminders are being started for organizations whose local time is past 9:00.' },
  ends: { listed: 'The reminders of every organization that needs them are started.' },
  steps: { listOrganizationsToRemind: 'the list of organizations whose payers need reminders' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Processes already started continue. The next scheduled run starts the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
