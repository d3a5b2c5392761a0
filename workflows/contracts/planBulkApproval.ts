import { cancelsRows, type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface PlanBulkApprovalInput extends TenantInput {
  approvalId: string;
}

/** How the process ended. `cancelled`: the process found its row cancelled. */
export type PlanBulkApprovalOutcome = 'approved' | 'cancelled' | 'stopped_right_lost';

/** Grants all payment plan requests that keep within the limits. */
export const planBulkApproval = {
  ...tenantProcess,
  name: 'planBulkApproval',
  kind: 'plan_bulk_approval',
  taskQueue: 'core',
  priority: 3,
  workflowId: ({ approvalId }) => `plan-bulk-approval/${approvalId}`,
  subject: { type: 'plan_bulk_approval', id: 'approvalId' },
  summary: 'Grant all payment plan requests within the limits',
  expectedMinutes: 30,
  money: 'never',
  stages: { approving: 'Requests are being granted one after another, beginning with the freeze that ends first.' },
  ends: {
    approved: 'Every request is granted, or skipped with a reason.',
    cancelled: 'The bulk approval was cancelled. Granted requests stay granted, and the others stay pending.',
    stopped_right_lost:
      'The person who confirmed the bulk approval lost the right to it. Granted requests stay granted, and the others stay pending.',
  },
  steps: {
    grantPlans: 'the next requests to be granted',
    stopPlanBulkApproval: 'the bulk approval to be closed as cancelled',
  },
  cancel: {
    ...cancelsRows,
    says: 'Granted requests stay granted. The others stay pending.',
  },
  example: (newId) => ({ approvalId: newId() }),
} as const satisfies ProcessContract<PlanBulkApprovalInput, PlanBulkApprovalOutcome>;
