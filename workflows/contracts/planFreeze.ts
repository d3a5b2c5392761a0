import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface PlanFreezeInput extends TenantInput {
  requestId: string;
}

export type PlanFreezeOutcome = 'decided' | 'over';

/** Signal: the request has changed. */
export const PLAN_CHANGED = 'changed';

/**
 * Follows the freeze window of a payment plan request and sends notifications. It decides nothing: the rows alone
 * determine how long the freeze lasts.
 */
export const planFreeze = {
  ...tenantProcess,
  name: 'planFreeze',
  kind: 'plan_freeze',
  taskQueue: 'core',
  priority: 3,
  workflowId: ({ requestId }) => `plan-freeze/${requestId}`,
  // The process ends with the freeze window. If the request lapses after that, the process is started again to notify
  // the parties.
  allowRestart: true,
  subject: { type: 'plan_request', id: 'requestId' },
  summary: 'Freeze dunning while a payment plan request is pending',
  expectedMinutes: null,
  money: 'never',
  stages: {
    running: 'The invoice is frozen: it is not marked overdue and no reminders are sent.',
    ending_soon: 'The freeze ends within a day. The reviewers have been reminded.',
  },
  ends: {
    decided: 'The request was decided or withdrawn, or nothing is due any more.',
    over: 'The freeze ended without a decision.',
  },
  steps: { followPlanFreeze: 'the request to be checked, and both sides to be notified' },
  sleepsUntil: 'the reminder, or the end of the freeze',
  cancel: { when: 'never', says: 'Review or withdraw the request instead.' },
  example: (newId) => ({ requestId: newId() }),
} as const satisfies ProcessContract<PlanFreezeInput, PlanFreezeOutcome>;
