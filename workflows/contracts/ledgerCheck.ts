import {
  bulkProcess,
  cancelsRows,
  keepsRows,
  type ProcessContract,
  type ScheduledProcess,
  scheduledProcess,
  type TenantInput,
} from './process.js';

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

/** Checks the ledger of every active organization. Started by a Schedule; belongs to no organization. */
export const checkLedgersEverywhere = {
  ...scheduledProcess,
  name: 'checkLedgersEverywhere',
  kind: 'ledger_check_schedule',
  priority: 5,
  // Once a day, at a time with little traffic, after the reconciliation.
  schedule: { id: 'check-ledgers', calendars: [{ minute: 20, hour: 6 }], catchupWindow: '12 hours' },
  summary: 'Check the ledger of every organization',
  expectedMinutes: 180,
  stages: { checking: 'The ledgers of the organizations are being checked, a few at a time.' },
  ends: { checked: 'The check of every organization is started. Failed checks are reported to platform admins.' },
  steps: { startNextLedgerChecks: 'the list of the next organizations' },
  sleepsUntil: 'the running checks to end',
  cancel: {
    ...keepsRows,
    says: 'Checks already started continue. The next scheduled run checks every organization.',
  },
} as const satisfies ScheduledProcess<'checked'>;
