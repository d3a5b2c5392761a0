import { MAIL_FAILURES } from './failures.js';
import type { ProcessContract, TenantInput } from './process.js';

export interface NotificationDeliveryInput extends TenantInput {
  /** One process per channel, so that a dead channel delays no other. */
  channel: 'email' | 'ios' | 'android';
}

/** Delivers what is due on one channel of an organization, and ends when nothing is. */
export const notificationDelivery = {
  name: 'notificationDelivery',
  kind: 'notification_delivery',
  taskQueue: 'notify',
  priority: 2,
  workflowId: ({ organizationId, channel }) => `delivery/${organizationId}/${channel}`,
  livesAgain: true,
  // The five-minute schedule returns to what is due.
  recoveredBy: 'schedule',
  waitingRows: 'many',
  seenBy: 'organization',
  subject: { type: 'organization', id: 'organizationId' },
  chapterId: () => null,
  summary: 'Deliver the notifications of one organization on one channel',
  expectedMinutes: null,
  money: 'never',
  stages: {
    delivering: 'What is due is decided once more, and delivered.',
    waiting: 'Something is due in a few minutes, or a claim that a crash left behind is about to expire.',
  },
  ends: { delivered: 'Nothing is due any more.' },
  steps: { deliverNextPage: 'the mail server or the push gateway to take what is due' },
  sleepsUntil: 'the next delivery to be due',
  failures: MAIL_FAILURES,
  cancel: {
    when: 'never',
    says: 'People are to hear what concerns them. What goes to many is withdrawn by cancelling its fan-out.',
  },
  example: () => ({ channel: 'email' as const }),
} as const satisfies ProcessContract<NotificationDeliveryInput, 'delivered'>;
