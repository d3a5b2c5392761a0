/** Notifications of stuck processes. */
import { defineNotifications } from '../notifications/types.js';

export const notifications = defineNotifications({
  process_stuck: {
    event: 'payment_updated',
    who: 'The organization’s administrators; for gifts the admins of the foundation',
    subject: 'process',
    cause: 'stuck',
    title: 'Stuck: {kind}',
    body: 'A process of the kind "{kind}" does not progress. Money has moved or may have moved. Open it to see the reason, and what you can do.',
    path: '/processes/{process}',
    action: null,
    needsAccess: true,
    facts: 'process_stuck_facts',
    factsOfCause: true,
    recipients: null,
    unknownMail: 'never',
  },
});
