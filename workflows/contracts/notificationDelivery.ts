import { MAIL_FAILURES } from './failures.js';
import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface NotificationDeliveryInput extends TenantInput {
  /** Each channel has its own process, so that a failing channel delays no other. */
  channel: 'email' | 'ios' | 'android';
}

/** Delivers due notifications on one channel of an organization, and ends when none is due. */
export const notificationDelivery = {
  ...tenantProcess,
  name: 'notificationDelivery',
  kind: 'notification_delivery',
  taskQueue: 'notify',
  priority: 2,
  workflowId: ({ organizationId, channel }) => `delivery/${organizationId}/${channel}`,
  allowRestart: true,
  // The five-minute schedule finds due deliveries again.
  recoveredBy: 'schedule',
  waitingRows: 'many',
  subject: { type: 'organization', id: 'organizationId' },
  summary: 'Deliver the notifications of one organization on one channel',
  expectedMinutes: null,
  money: 'never',
  stages: {
    delivering: 'Due notifications are being checked again and delivered.',
    waiting: 'A notification is due in a few minutes, or a claim left by a crash is about to expire.',
  },
  ends: { delivered: 'No notifications are due.' },
  steps: { deliverNextPage: 'the mail server or the push gateway to accept notifications' },
  sleepsUntil: 'the next delivery to be due',
  failures: MAIL_FAILURES,
  cancel: {
    when: 'never',
    says: 'Recipients must receive their notifications. To withdraw a notification to many people, cancel its fan-out.',
  },
  example: () => ({ channel: 'email' as const }),
} as const satisfies ProcessContract<NotificationDeliveryInput, 'delivered'>;
