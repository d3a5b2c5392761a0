import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface CrossInput extends TenantInput {
  crossingId: string;
}

/**
 * How the process ended. `reverted`: the change from prospective to regular member was reverted before all steps were
 * done.
 */
export type CrossOutcome = 'crossed' | 'reverted';

/** Copies a new member's intake answers to their records, and welcomes them. */
export const cross = {
  ...tenantProcess,
  name: 'cross',
  kind: 'crossing',
  taskQueue: 'core',
  priority: 3,
  workflowId: ({ crossingId }) => `crossing/${crossingId}`,
  // Needed for members who accept the invitation later: they then have an account, and the process runs again to copy
  // further answers to it.
  allowRestart: true,
  subject: { type: 'crossing', id: 'crossingId' },
  summary: 'Copy the intake answers of a new member to their records',
  expectedMinutes: 10,
  money: 'never',
  stages: {
    carrying: "Answers are being copied to empty fields of the member's records.",
    provisioning: 'Another process provisions an office-suite account.',
    welcoming: 'If the member has not accepted, the invitation is mailed again.',
  },
  ends: {
    crossed: 'The answers are copied. The crossing shows the result for each field.',
    reverted: 'The crossing was reverted. Answers already copied stay.',
  },
  steps: {
    carryAnswers: 'the answers to be copied',
    welcomeMember: 'the invitation to be mailed',
  },
  cancel: {
    when: 'any_time',
    rows: 'changed',
    outcomeWhenCancelled: null,
    says: 'The person stays a member. Answers that are not copied yet wait until the crossing is retried.',
  },
  example: (newId) => ({ crossingId: newId() }),
} as const satisfies ProcessContract<CrossInput, CrossOutcome>;
