/** Notifications to admins about the mail server of their organization. */
import { ADMINS, defineNotifications } from '../types.js';

export const notificationTypes = defineNotifications({
  mail_server_failing: {
    event: 'platform_alert',
    who: 'Active admins of the organization, once, when the failure has lasted five minutes',
    subject: 'notification_settings',
    cause: 'mail_server_failing',
    title: 'Your mail server does not accept mail',
    body: 'Mail of {organization} is delayed: {host} fails at the step {step} ({answer}). Sending is retried for one day.',
    path: '/settings/email',
    action: 'Check the settings',
    needsAccess: true,
    facts: 'mail_server_facts',
    recipients: ADMINS,
    unknownMail: 'again',
    // The admins' mail is an account notice, which the platform's server sends, because the organization's own server
    // accepts no mail.
    mailedAsAccountNotice: true,
  },
});
