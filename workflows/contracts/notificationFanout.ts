import type { ProcessContract, TenantInput } from './process.js';

export interface NotificationFanoutInput extends TenantInput {
  fanoutId: string;
}

/** `cancelled`: its row was cancelled before its process was. */
export type NotificationFanoutOutcome = 'told' | 'cancelled';

/** Notifies a large audience, batch by batch. */
export const notificationFanout = {
  name: 'notificationFanout',
  kind: 'notification_fanout',
  taskQueue: 'bulk',
  priority: 3,
  workflowId: ({ organizationId, fanoutId }) => `fanout/${organizationId}/${fanoutId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'notification_fanout', id: 'fanoutId' },
  chapterId: () => null,
  summary: 'Tell a large audience of something',
  expectedMinutes: 30,
  money: 'never',
  stages: {
    telling: 'Notifications are made for the people of the audience, page by page.',
    withdrawing: 'It was called off: what was not sent is taken back.',
  },
  ends: {
    told: 'Everybody in the audience has their notification.',
    cancelled: 'It was called off: what had not been sent or read is taken back.',
  },
  steps: {
    fanOutNext: 'the next people of the audience to have their notifications',
    withdrawNext: 'what was not sent to be taken back',
  },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: 'cancelled',
    says: 'Nobody else is told. What was not sent yet is withdrawn, and what nobody has read leaves the lists.',
  },
  example: (newId) => ({ fanoutId: newId() }),
} as const satisfies ProcessContract<NotificationFanoutInput, NotificationFanoutOutcome>;
