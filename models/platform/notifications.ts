/** Notifications of the platform's operators to people. */
import { defineNotifications } from '../notifications/types.js';

export const notifications = defineNotifications({
  platform_alert: {
    event: 'platform_alert',
    who: 'The administrators of every organization, or everybody',
    subject: 'platform_alert',
    cause: 'published',
    title: '{title}',
    body: '{body}',
    path: '/',
    action: null,
    needsAccess: true,
    facts: 'platform_alert_facts',
    recipients: null,
    unknownMail: 'again',
  },
});
