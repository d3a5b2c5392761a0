import type { PersonInput, ProcessContract } from './process.js';

export interface PlatformAlertInput extends PersonInput {
  alertId: string;
}

/** `cancelled`: its row was cancelled before its process was. */
export type PlatformAlertOutcome = 'told' | 'cancelled' | 'stopped_right_lost';

/** Notifies every organization of an alert by the platform's operators. */
export const platformAlert = {
  name: 'platformAlert',
  kind: 'platform_alert',
  taskQueue: 'bulk',
  priority: 2,
  workflowId: ({ alertId }) => `platform-alert/${alertId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'platform',
  subject: { type: 'platform_alert', id: 'alertId' },
  chapterId: () => null,
  summary: 'Tell every organization of an alert',
  expectedMinutes: 30,
  money: 'never',
  stages: { telling: 'Organizations are told, page by page; large ones by a fan-out of their own.' },
  ends: {
    told: 'Every organization has been told.',
    cancelled: 'It was called off: what had not been delivered is not delivered any more.',
    stopped_right_lost: 'Who sent it does not run the platform any more: no further organization is told.',
  },
  steps: { tellNext: 'the next organizations to be told', cancelAlert: 'the alert to be called off' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: 'cancelled',
    says: 'No further organization is told, and what was not delivered yet is not delivered.',
  },
  example: (newId) => ({ alertId: newId() }),
} as const satisfies ProcessContract<PlatformAlertInput, PlatformAlertOutcome>;
