import { bulkProcess, cancelsRows, type ProcessContract, type TenantInput } from './process.js';

export interface NotificationFanoutInput extends TenantInput {
  fanoutId: string;
}

/** How the process ended. `cancelled`: the process found its row cancelled. */
export type NotificationFanoutOutcome = 'told' | 'cancelled';

/** Notifies a large audience, batch by batch. */
export const notificationFanout = {
  ...bulkProcess,
  name: 'notificationFanout',
  kind: 'notification_fanout',
  workflowId: ({ organizationId, fanoutId }) => `fanout/${organizationId}/${fanoutId}`,
  subject: { type: 'notification_fanout', id: 'fanoutId' },
  summary: 'Notify a large audience',
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
  cancel: {
    ...cancelsRows,
    says: 'No further people are notified. Unsent notifications are withdrawn, and unread ones are removed from the lists.',
  },
  example: (newId) => ({ fanoutId: newId() }),
} as const satisfies ProcessContract<NotificationFanoutInput, NotificationFanoutOutcome>;
