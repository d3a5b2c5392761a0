import { PROVIDER_FAILURES } from './failures.js';
import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface RefundInput extends TenantInput {
  refundId: string;
}

/** `failed`: the provider did not refund. */
export type RefundOutcome = 'succeeded' | 'failed';

/** Refunds money of an invoice once, on the charge that captured it. */
export const refund = {
  ...tenantProcess,
  name: 'refund',
  kind: 'refund',
  taskQueue: 'payments',
  priority: 2,
  workflowId: ({ refundId }) => `refund/${refundId}`,
  subject: { type: 'refund', id: 'refundId' },
  summary: 'Refund money on the charge that captured it',
  expectedMinutes: 60,
  money: 'by_rows',
  stages: { sending: 'The refund is being requested from the payment provider.' },
  ends: { succeeded: 'The money was refunded.', failed: 'The refund failed. It can be requested again.' },
  steps: { sendRefund: 'the payment provider to report the outcome of the refund' },
  sleepsUntil: 'the next check of a refund that the bank processes for days',
  failures: PROVIDER_FAILURES,
  cancel: {
    when: 'before_money',
    stages: ['sending'],
    rows: 'changed',
    outcomeWhenCancelled: 'failed',
    says: 'The refund was not requested from the payment provider yet. No money is refunded.',
  },
  example: (newId) => ({ refundId: newId() }),
} as const satisfies ProcessContract<RefundInput, RefundOutcome>;
