/**
 * Notification types of reminders: to payers, one mail about all that they owe now or soon; to administrators, a list
 * of late installments.
 */
import { ADMINS, defineNotifications } from '../../notifications/types.js';
import { PAYER } from '../notifications.js';

const reminderType = {
  who: PAYER,
  subject: 'payment_reminder',
  path: '/invoices',
  // No action, because a list of invoices has no single state at which it is done.
  action: null,
  needsAccess: false,
  recipients: 'reminder_payer',
  unknownMail: 'never',
  facts: 'reminder_facts',
} as const;

export const notifications = defineNotifications({
  payments_due_soon: {
    ...reminderType,
    event: 'invoice_due_soon',
    cause: 'due_soon',
    title: 'Due soon: {what}',
    body: 'Not fully paid yet: {list}.{more}{amount}{plans}',
  },
  payments_overdue: {
    ...reminderType,
    event: 'invoice_overdue',
    cause: 'overdue',
    title: 'Still due: {what}',
    body: 'Not fully paid yet: {list}.{more}{amount}{plans} If you have paid in the meantime, thank you; you need not do anything.',
  },
  plan_rows_late: {
    who: 'The organization’s administrators',
    event: 'payment_updated',
    subject: 'organization',
    cause: 'late_rows',
    title: 'Late installments: {count}',
    body: 'Payers with a late installment: {list}.{more}',
    path: '/payment-plans?late=true',
    action: null,
    needsAccess: true,
    recipients: ADMINS,
    unknownMail: 'never',
    facts: 'late_plans_facts',
  },
});
