import { PROVIDER_FAILURES } from './failures.js';
import type { ProcessContract, TenantInput } from './process.js';

export interface ReconciliationInput extends TenantInput {
  /** The processor whose key opens the account; all processors of the same account are compared with it. */
  processorId: string;
  /** YYYY-MM-DD, UTC: names the run. */
  day: string;
  /** The period, ISO 8601: a retry asks for the same one. */
  from: string;
  to: string;
}

/** Compares the movements that a provider lists with the books. */
export const reconciliation = {
  name: 'reconciliation',
  kind: 'reconciliation',
  taskQueue: 'bulk',
  priority: 4,
  workflowId: ({ processorId, day }) => `reconciliation/${processorId}/${day}`,
  // A second run continues where the first ended.
  livesAgain: true,
  recoveredBy: 'schedule',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'payment_processor', id: 'processorId' },
  chapterId: () => null,
  summary: 'Compare an account at a payment provider with the books',
  expectedMinutes: 60,
  // It records money that moved already, and moves none.
  money: 'never',
  stages: {
    listing: 'What the payment provider says moved in these days is listed.',
    comparing: 'The provider is asked about each charge that differs; what nobody has told is put on record.',
    compared: 'Both sides are compared.',
  },
  ends: {
    compared: 'Both sides are compared; what differs is a case.',
    refused: 'The payment provider does not take the key, or cannot say what moved. The next day it is asked again.',
  },
  steps: {
    listNextMovements: 'the payment provider to list what moved',
    compareNextCharges: 'the payment provider to say what became of charges that differ',
  },
  sleepsUntil: null,
  failures: PROVIDER_FAILURES,
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'What is on record stays, and no money moves. Run again it goes on where it was; so does the next day.',
  },
  example: (newId) => ({
    processorId: newId(),
    day: '1999-12-31',
    from: '1999-12-28T03:00:00Z',
    to: '1999-12-31T03:00:00Z',
  }),
} as const satisfies ProcessContract<ReconciliationInput, 'compared' | 'refused'>;
