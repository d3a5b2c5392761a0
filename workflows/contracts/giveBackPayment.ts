import { PROVIDER_FAILURES } from './failures.js';
import type { ProcessContract, TenantInput } from './process.js';

export interface GiveBackPaymentInput extends TenantInput {
  captureId: string;
  /** The row of the refund request. */
  resolutionId: string;
}

/** `refused`: the provider did not refund. */
export type GiveBackPaymentOutcome = 'refunded' | 'refused';

/** Refunds an unmatched payment, once. */
export const giveBackPayment = {
  name: 'giveBackPayment',
  kind: 'payment_refund',
  taskQueue: 'payments',
  priority: 2,
  workflowId: ({ resolutionId }) => `payment-refund/${resolutionId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'processor_capture', id: 'captureId' },
  chapterId: () => null,
  summary: 'Give back a payment that was for nothing here',
  expectedMinutes: 60,
  money: 'by_rows',
  stages: { refunding: 'The payment provider is asked to give the money back, or whether it has.' },
  ends: {
    refunded: 'The money went back.',
    refused: 'The money stays where it is: the payment waits for a decision again.',
  },
  steps: { giveBack: 'the payment provider to say whether it gives the money back' },
  sleepsUntil: 'the payment provider to be asked again about a refund that a bank takes days for',
  failures: PROVIDER_FAILURES,
  cancel: { when: 'never', says: 'The money may be on its way back already; only the payment provider knows.' },
  example: (newId) => ({ captureId: newId(), resolutionId: newId() }),
} as const satisfies ProcessContract<GiveBackPaymentInput, GiveBackPaymentOutcome>;
