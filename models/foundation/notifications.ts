/** Notification types of the foundation. */
import { defineNotifications } from '../notifications/types.js';

export const notifications = defineNotifications({
  gift_unmatched: {
    who: 'The admins of the foundation',
    event: 'payment_updated',
    subject: 'capture',
    cause: 'flagged',
    title: 'A gift needs your decision',
    body: '{amount} received through "{processor}" is not the amount of its gift, or its gift is paid already. Accept or refund it.',
    path: '/{page}/{subject}',
    action: 'Decide',
    needsAccess: true,
    unknownMail: 'never',
    recipients: 'capture_admins',
    facts: 'capture_facts',
  },
  foundation_bulletin_held: {
    who: 'The admins of the foundation',
    event: 'approval_requested',
    subject: 'foundation_bulletin',
    cause: 'held',
    title: 'A bulletin is on hold',
    body: '"{title}" was more than 12 hours late, stood still for 12 hours, or its admin lost the role. Check which mails went out, then send the rest.',
    path: '/foundation/bulletins/{subject}',
    action: 'Decide',
    needsAccess: true,
    unknownMail: 'never',
    recipients: 'foundation_bulletin_admins',
    facts: 'foundation_bulletin_facts',
  },
});
