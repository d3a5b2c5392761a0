import { PROVIDER_FAILURES } from './failures.js';
import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface RefundUnmatchedPaymentInput extends TenantInput {
  captureId: string;
  /** The row of the refund request. */
  resolutionId: string;
}

/** `refused`: the provider did not refund. */
export type RefundUnmatchedPaymentOutcome = 'refunded' | 'refused';

/** Refunds an unmatched payment, once. */
export const giveBackPayment = {
  ...tenantProcess,
  name: 'giveBackPayment',
  kind: 'payment_refund',
  taskQueue: 'payments',
  priority: 2,
  workflowId: ({ resolutionId }) => `payment-refund/${resolutionId}`,
  subject: { type: 'processor_capture', id: 'captureId' },
  summary: 'Refund an unmatched payment',
  expectedMinutes: 60,
  money: 'by_rows',
  stages: { refunding: 'The refund is being requested from the payment provider.' },
  ends: {
    refunded: 'The money was refunded.',
    refused: 'The refund failed. The payment is unmatched again and needs a decision.',
  },
  steps: { giveBack: 'the payment provider to report the outcome of the refund' },
  sleepsUntil: 'the next check of a refund that the bank processes for days',
  failures: PROVIDER_FAILURES,
  cancel: { when: 'never', says: 'The refund may already be in progress at the payment provider.' },
  example: (newId) => ({ captureId: newId(), resolutionId: newId() }),
} as const satisfies ProcessContract<RefundUnmatchedPaymentInput, RefundUnmatchedPaymentOutcome>;
