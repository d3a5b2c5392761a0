import type { ProcessContract, TenantInput } from './process.js';

export interface PlanBulkApprovalInput extends TenantInput {
  approvalId: string;
}

/** `cancelled`: its row was cancelled before its process was. */
export type PlanBulkApprovalOutcome = 'approved' | 'cancelled' | 'stopped_right_lost';

/** Grants all plan requests that keep to the limits. */
export const planBulkApproval = {
  name: 'planBulkApproval',
  kind: 'plan_bulk_approval',
  taskQueue: 'core',
  priority: 3,
  workflowId: ({ approvalId }) => `plan-bulk-approval/${approvalId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'plan_bulk_approval', id: 'approvalId' },
  chapterId: () => null,
  summary: 'Grant instalments to all who keep to the limits',
  expectedMinutes: 30,
  money: 'never',
  stages: { approving: 'Requests are granted one after the other, those first whose freeze ends first.' },
  ends: {
    approved: 'Every request is granted, or skipped with a reason.',
    cancelled: 'It was called off: what was granted stays granted, and the others wait.',
    stopped_right_lost: 'Who confirmed it lost the right to it: what was granted stays granted, and the others wait.',
  },
  steps: {
    grantPlans: 'the next requests to be granted',
    stopPlanBulkApproval: 'the bulk approval to be closed where it stands',
  },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: 'cancelled',
    says: 'What is granted stays granted; the others wait for a decision as before.',
  },
  example: (newId) => ({ approvalId: newId() }),
} as const satisfies ProcessContract<PlanBulkApprovalInput, PlanBulkApprovalOutcome>;
