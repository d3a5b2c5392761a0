import { bulkProcess, cancelsRows, type ProcessContract, type TenantInput } from './process.js';

export interface LedgerCheckInput extends TenantInput {
  checkId: string;
}

/** How the check ended. `cancelled`: the process found its row cancelled. */
export type LedgerCheckOutcome = 'passed' | 'failed' | 'cancelled';

/** Checks the rules of the ledger in one organization. */
export const ledgerCheck = {
  ...bulkProcess,
  name: 'ledgerCheck',
  kind: 'ledger_check',
  workflowId: ({ checkId }) => `ledger-check/${checkId}`,
  subject: { type: 'ledger_check', id: 'checkId' },
  summary: 'Check the ledger of an organization',
  expectedMinutes: 10,
  stages: { checking: 'The rules are being applied to all rows of the organization.' },
  ends: {
    passed: 'No row breaks a rule.',
    failed: 'Rows break a rule, or nothing could be examined. The check lists the rows.',
    cancelled: 'The check was cancelled. It has no result.',
  },
  steps: {
    runLedgerCheck: 'the rules to be applied',
    stopLedgerCheck: 'the check to be closed as cancelled',
  },
  cancel: {
    ...cancelsRows,
    says: 'The check ends without a result. It changes no other rows.',
  },
  example: (newId) => ({ checkId: newId() }),
} as const satisfies ProcessContract<LedgerCheckInput, LedgerCheckOutcome>;
