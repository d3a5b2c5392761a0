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
  // Same priority as the mails it creates: a lower one would delay the last payers until all others are mailed.
  priority: 2,
  workflowId: ({ organizationId, day }) => `invoice-reminders/${organizationId}/${day}`,
  // A second run claims what is unclaimed.
  livesAgain: true,
  recoveredBy: 'schedule',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'organization', id: 'organizationId' },
  chapterId: () => null,
  summary: 'Remind the payers of one organization of what is due',
  // A mail server may take a day.
  expectedMinutes: null,
  money: 'never',
  stages: {
    claiming: 'Who is reminded of what is written down, page by page, and handed to the mails.',
    mailing: 'The mails are on their way; what is paid meanwhile is left out.',
  },
  ends: { mailed: 'Every reminder is mailed, or it is on record why not.' },
  steps: {
    claimNextReminders: 'the next payers to be reminded',
    lookAtReminders: 'the mail server to take the reminders',
  },
  sleepsUntil: 'mails that are on their way',
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'What is claimed is mailed; who is not claimed yet is reminded by the next run of the schedule.',
  },
  example: () => ({ day: '1999-12-31' }),
} as const satisfies ProcessContract<InvoiceRemindersInput, 'mailed'>;
