import { PROVIDER_FAILURES } from './failures.js';
import {
  bulkProcess,
  keepsRows,
  type ProcessContract,
  type ScheduledProcess,
  scheduledProcess,
  type TenantInput,
} from './process.js';

export interface ReconciliationInput extends TenantInput {
  /**
   * Id of a processor whose key gives access to the provider account. The run compares all processors of that account.
   */
  processorId: string;
  /** Date of the run, YYYY-MM-DD in UTC. */
  day: string;
  /** The compared period, ISO 8601. A retry compares the same period. */
  from: string;
  to: string;
}

/** Compares the movements that a provider lists with the books. */
export const reconciliation = {
  ...bulkProcess,
  name: 'reconciliation',
  kind: 'reconciliation',
  priority: 4,
  workflowId: ({ processorId, day }) => `reconciliation/${processorId}/${day}`,
  // A second run continues where the first ended.
  allowRestart: true,
  recoveredBy: 'schedule',
  subject: { type: 'payment_processor', id: 'processorId' },
  summary: 'Compare a payment provider account with the books',
  expectedMinutes: 60,
  // It records money that has already moved, and moves none itself.
  money: 'never',
  stages: {
    listing: 'The movements that the payment provider reports for the period are being listed.',
    comparing: 'Each differing charge is being read from the provider. Unreported movements are recorded.',
    compared: 'Both sides are compared.',
  },
  ends: {
    compared: 'Both sides are compared. Each difference is a reconciliation case.',
    refused: "The payment provider rejects the key or cannot list movements. The next day's run tries again.",
  },
  steps: {
    listNextMovements: 'the payment provider to list movements',
    compareNextCharges: 'the payment provider to report the state of differing charges',
  },
  failures: PROVIDER_FAILURES,
  cancel: {
    ...keepsRows,
    says: "Recorded movements stay, and no money moves. A retry or the next day's run continues from there.",
  },
  example: (newId) => ({
    processorId: newId(),
    day: '1999-12-31',
    from: '1999-12-28T03:00:00Z',
    to: '1999-12-31T03:00:00Z',
  }),
} as const satisfies ProcessContract<ReconciliationInput, 'compared' | 'refused'>;

/**
 * Starts the comparison of every payment provider account with the books. Started by a Schedule; belongs to no
 * organization.
 */
export const reconcileEverywhere = {
  ...scheduledProcess,
  name: 'reconcileEverywhere',
  kind: 'reconciliation_schedule',
  // Once a day, at a time with little traffic. Three days are compared, so that one run makes up for two missed runs.
  schedule: { id: 'reconcile', calendars: [{ minute: 50, hour: 4 }], catchupWindow: '1 day' },
  summary: 'Find payment provider accounts to compare with the books',
  stages: { listing: 'The comparison of each account is being started.' },
  ends: { listed: 'The comparison of every account is started.' },
  steps: { listProcessorsToReconcile: 'the list of accounts' },
  cancel: {
    ...keepsRows,
    says: 'Comparisons already started continue. The next scheduled run starts the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
