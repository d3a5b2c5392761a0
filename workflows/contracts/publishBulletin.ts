import type { ProcessContract, TenantInput } from './process.js';

export interface PublishBulletinInput extends TenantInput {
  bulletinId: string;
  /** Number of the edition. A later edition replaces it. */
  edition: string;
}

export type PublishBulletinOutcome = 'told' | 'called_off' | 'refused';

/** Notifies an audience of a bulletin when it is due, and withdraws notifications of an earlier edition. */
export const publishBulletin = {
  name: 'publishBulletin',
  kind: 'bulletin',
  taskQueue: 'notify',
  priority: 3,
  workflowId: ({ bulletinId, edition }) => `bulletin/${bulletinId}/${edition}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'bulletin', id: 'bulletinId' },
  chapterId: () => null,
  summary: 'Tell people of a bulletin',
  expectedMinutes: null,
  money: 'never',
  stages: {
    withdrawing: 'What people were told of an earlier publication is taken back.',
    waiting: 'The bulletin waits for its time.',
    telling: 'Its people are told; of many, a process of its own goes through them.',
  },
  ends: {
    told: 'Its people have their notifications, or a process of its own makes them.',
    refused: 'Whoever scheduled it may not announce it any more: nobody is told, and the bulletin says so.',
    called_off: 'Nobody wants this edition told: the bulletin was changed, taken back, removed or has expired.',
  },
  steps: {
    withdrawBulletin: 'what people were told before to be taken back',
    untilBulletinIsDue: 'the time of the bulletin to be read',
    tellBulletin: 'the people of the bulletin to be told',
  },
  sleepsUntil: 'the time of the bulletin',
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: 'called_off',
    says: 'A bulletin that waits is a draft again. One that people were told of stays as it is.',
  },
  example: (newId) => ({ bulletinId: newId(), edition: '1' }),
} as const satisfies ProcessContract<PublishBulletinInput, PublishBulletinOutcome>;
