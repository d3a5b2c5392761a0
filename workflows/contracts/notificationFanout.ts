import type { ProcessContract, TenantInput } from './process.js';

export interface NotificationFanoutInput extends TenantInput {
  fanoutId: string;
}

/** `cancelled`: the row was cancelled before the process. */
export type NotificationFanoutOutcome = 'told' | 'cancelled';

/** Notifies a large audience, batch by batch. */
export const notificationFanout = {
  name: 'notificationFanout',
  kind: 'notification_fanout',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ organizationId, fanoutId }) => `fanout/${organizationId}/${fanoutId}`,
  allowRestart: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'notification_fanout', id: 'fanoutId' },
  chapterId: () => null,
  summary: 'Notify a large audience',
  expectedMinutes: 30,
  money: 'never',
  stages: {
    telling: 'Notifications are being created for the audience, in batches.',
    withdrawing: 'The fan-out was cancelled. Unsent notifications are being withdrawn.',
  },
  ends: {
    told: 'Every person in the audience has a notification.',
    cancelled: 'The fan-out was cancelled. Notifications that were not sent or read are withdrawn.',
  },
  steps: {
    fanOutNext: 'the next notifications to be created',
    withdrawNext: 'unsent notifications to be withdrawn',
  },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    outcomeWhenCancelled: 'cancelled',
    says: 'No further people are notified. Unsent notifications are withdrawn, and unread ones are removed from the lists.',
  },
  example: (newId) => ({ fanoutId: newId() }),
} as const satisfies ProcessContract<NotificationFanoutInput, NotificationFanoutOutcome>;
