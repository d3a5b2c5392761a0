/** Notifications to admins about the mail server of their organization. */
import { defineNotifications } from '../types.js';

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
    facts: `SELECT jsonb_build_object('office_of', n.organization_id, 'organization', o.name, 'host', s.smtp_host, 'step', f.step, 'answer', f.answer)
      FROM mail_server_failures f JOIN notification_settings s USING (organization_id) JOIN organizations o ON o.id = s.organization_id
     WHERE f.organization_id = n.organization_id AND s.id = n.subject_id
       AND n.recipient_id IN (SELECT user_id FROM app.active_admins(n.organization_id))`,
    recipients: 'SELECT user_id FROM app.active_admins(s.organization_id)',
    unknownMail: 'again',
    // Sent by the platform's server, because the organization's own server does not accept mail.
    mailedAsAccountNotice: true,
  },
});
