import { cancelsRows, type PersonInput, type ProcessContract } from './process.js';

export interface PlatformAlertInput extends PersonInput {
  alertId: string;
}

/** How the process ended. `cancelled`: the process found its row cancelled. */
export type PlatformAlertOutcome = 'told' | 'cancelled' | 'stopped_right_lost';

/** Notifies every organization of an alert from the platform's operators. */
export const platformAlert = {
  name: 'platformAlert',
  kind: 'platform_alert',
  taskQueue: 'bulk',
  priority: 2,
  workflowId: ({ alertId }) => `platform-alert/${alertId}`,
  allowRestart: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'platform',
  subject: { type: 'platform_alert', id: 'alertId' },
  chapterId: () => null,
  summary: 'Notify every organization of an alert',
  expectedMinutes: 30,
  money: 'never',
  stages: { telling: 'Organizations are being notified in batches; large ones have their own fan-out.' },
  ends: {
    told: 'Every organization has been notified.',
    cancelled: 'The alert was cancelled. Undelivered notifications are withdrawn.',
    stopped_right_lost: 'The sender is no longer a platform admin. No further organizations are notified.',
  },
  steps: { tellNext: 'the next organizations to be notified', cancelAlert: 'the alert to be cancelled' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    ...cancelsRows,
    says: 'No further organizations are notified, and undelivered notifications are withdrawn.',
  },
  example: (newId) => ({ alertId: newId() }),
} as const satisfies ProcessContract<PlatformAlertInput, PlatformAlertOutcome>;
