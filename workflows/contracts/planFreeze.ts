import type { ProcessContract, TenantInput } from './process.js';

export interface PlanFreezeInput extends TenantInput {
  requestId: string;
}

export type PlanFreezeOutcome = 'decided' | 'over';

/** Signal: the request has changed. */
export const PLAN_CHANGED = 'changed';

/** Shows the freeze window of a plan request. The rows alone decide; this process notifies of it. */
export const planFreeze = {
  name: 'planFreeze',
  kind: 'plan_freeze',
  taskQueue: 'core',
  priority: 3,
  workflowId: ({ requestId }) => `plan-freeze/${requestId}`,
  // A request whose window is over is notified of as well.
  livesAgain: true,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'plan_request', id: 'requestId' },
  chapterId: () => null,
  summary: 'Nobody is dunned while instalments wait for a decision',
  expectedMinutes: null,
  money: 'never',
  stages: {
    running: 'The invoice is neither marked nor reminded of.',
    ending_soon: 'The window ends within a day: those who decide have been told once more.',
  },
  ends: {
    decided: 'Somebody decided, took it back, or nothing is due any more.',
    over: 'The window is over, and nobody has decided.',
  },
  steps: { followPlanFreeze: 'the request to be looked at, and both sides to be told' },
  sleepsUntil: 'the reminder, or the end of the window',
  failures: {},
  cancel: { when: 'never', says: 'The request is reviewed or withdrawn instead: its rows decide.' },
  example: (newId) => ({ requestId: newId() }),
} as const satisfies ProcessContract<PlanFreezeInput, PlanFreezeOutcome>;
