import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface PublishBulletinInput extends TenantInput {
  bulletinId: string;
  /** Number of the edition. A later edition replaces it. */
  edition: string;
}

export type PublishBulletinOutcome = 'told' | 'called_off' | 'refused';

/** Notifies an audience of a bulletin when it is due, and withdraws notifications of an earlier edition. */
export const publishBulletin = {
  ...tenantProcess,
  name: 'publishBulletin',
  kind: 'bulletin',
  taskQueue: 'notify',
  priority: 3,
  workflowId: ({ bulletinId, edition }) => `bulletin/${bulletinId}/${edition}`,
  subject: { type: 'bulletin', id: 'bulletinId' },
  summary: 'Announce a bulletin',
  expectedMinutes: null,
  money: 'never',
  stages: {
    withdrawing: 'Notifications of an earlier edition are being withdrawn.',
    waiting: 'The bulletin waits for its publication time.',
    telling: 'The audience is being notified; a large audience has its own fan-out.',
  },
  ends: {
    told: 'The audience is notified, or a fan-out is notifying it.',
    refused:
      'The person who scheduled it may no longer announce it. No notifications are sent, and the bulletin shows this.',
    called_off:
      'This edition is no longer to be announced: the bulletin was changed, withdrawn, deleted or has expired.',
  },
  steps: {
    withdrawBulletin: 'earlier notifications to be withdrawn',
    untilBulletinIsDue: 'the publication time to be read',
    tellBulletin: 'the audience to be notified',
  },
  sleepsUntil: 'the publication time',
  cancel: {
    when: 'any_time',
    rows: 'changed',
    outcomeWhenCancelled: 'called_off',
    says: 'A scheduled bulletin becomes a draft again. One that was announced stays unchanged.',
  },
  example: (newId) => ({ bulletinId: newId(), edition: '1' }),
} as const satisfies ProcessContract<PublishBulletinInput, PublishBulletinOutcome>;
