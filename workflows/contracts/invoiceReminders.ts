import {
  dailyProcess,
  keepsRows,
  type ProcessContract,
  type ScheduledProcess,
  scheduledProcess,
  type TenantInput,
} from './process.js';

export interface InvoiceRemindersInput extends TenantInput {
  /** The organization's own date, YYYY-MM-DD: each payer gets one mail per day. */
  day: string;
}

/** Reminds one organization's payers of what is due soon or overdue. */
export const invoiceReminders = {
  ...dailyProcess,
  name: 'invoiceReminders',
  kind: 'invoice_reminders',
  taskQueue: 'notify',
  // This is also the priority of the mails that this process creates. With a lower one, claiming further reminders
  // would wait behind mails that are already queued, and the last payers would get theirs late.
  priority: 2,
  workflowId: ({ organizationId, day }) => `invoice-reminders/${organizationId}/${day}`,
  // A second run claims the reminders that are not claimed yet.
  allowRestart: true,
  summary: 'Remind the payers of one organization of due invoices',
  // No limit, because a mail server may be down for a day.
  expectedMinutes: null,
  stages: {
    claiming: 'Reminders are being claimed in batches and queued as mail.',
    mailing: 'The mails are being sent. Invoices paid in the meantime are left out.',
  },
  ends: { mailed: 'Every reminder is mailed, or the reason why not is recorded.' },
  steps: {
    claimNextReminders: 'the next payers to be reminded',
    lookAtReminders: 'the mail server to accept the reminders',
  },
  sleepsUntil: 'pending mails',
  cancel: {
    ...keepsRows,
    says: 'Reminders already claimed are mailed. The next scheduled run reminds the other payers.',
  },
} as const satisfies ProcessContract<InvoiceRemindersInput, 'mailed'>;

/**
 * Starts the reminders of every organization in which it is past 9:00 local time. Started by a Schedule; belongs to no
 * organization.
 */
export const invoiceRemindersEverywhere = {
  ...scheduledProcess,
  name: 'invoiceRemindersEverywhere',
  kind: 'invoice_reminders_schedule',
  // Hourly, after that hour's overdue marking, because it is nine o'clock in some time zone every hour. One run makes
  // up for all missed runs.
  schedule: { id: 'invoice-reminders', calendars: [{ minute: 10, hour: '*' }], catchupWindow: '1 hour' },
  summary: 'Find organizations whose payers need reminders, from 9:00 local time on',
  stages: { listing: 'Reminders are being started for organizations whose local time is past 9:00.' },
  ends: { listed: 'The reminders of every organization that needs them are started.' },
  steps: { listOrganizationsToRemind: 'the list of organizations whose payers need reminders' },
  cancel: {
    ...keepsRows,
    says: 'Processes already started continue. The next scheduled run starts the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
