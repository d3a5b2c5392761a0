import type { ProcessContract, TenantInput } from './process.js';

export interface InvoiceRemindersInput extends TenantInput {
  /** The organization's own date, YYYY-MM-DD: each payer gets one mail per day. */
  day: string;
}

/** Reminds one organization's payers of what is due soon or overdue. */
export const invoiceReminders = {
  name: 'invoiceReminders',
  kind: 'invoice_reminders',
  taskQueue: 'notify',
  // Equal to the priority of the mails it creates. With a lower priority, the last payers would wait until all others
  // are mailed.
  priority: 2,
  workflowId: ({ organizationId, day }) => `invoice-reminders/${organizationId}/${day}`,
  // A second run claims the reminders that are not claimed yet.
  allowRestart: true,
  recoveredBy: 'schedule',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'organization', id: 'organizationId' },
  chapterId: () => null,
  summary: 'Remind the payers of one organization of due invoices',
  // No limit, because a mail server may be down for a day.
  expectedMinutes: null,
  money: 'never',
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
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Reminders already claimed are mailed. The next scheduled run reminds the other payers.',
  },
  example: () => ({ day: '1999-12-31' }),
} as const satisfies ProcessContract<InvoiceRemindersInput, 'mailed'>;
