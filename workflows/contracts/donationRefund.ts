import { PROVIDER_FAILURES } from './failures.js';
import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface DonationRefundInput extends TenantInput {
  captureId: string;
  /** Id of the row that records the request to refund. */
  resolutionId: string;
}

/** `refused`: the provider did not refund. */
export type DonationRefundOutcome = 'refunded' | 'refused';

/** Refunds the payment of a gift, once. */
export const donationRefund = {
  ...tenantProcess,
  name: 'donationRefund',
  kind: 'donation_refund',
  taskQueue: 'payments',
  priority: 2,
  workflowId: ({ resolutionId }) => `donation-refund/${resolutionId}`,
  seenBy: 'foundation',
  subject: { type: 'processor_capture', id: 'captureId' },
  summary: 'Refund a gift',
  expectedMinutes: 60,
  money: 'by_rows',
  stages: { refunding: 'The refund is being requested from the payment provider.' },
  ends: {
    refunded: 'The money was refunded.',
    refused: 'The refund failed. The money stays in the account; an administrator can request the refund again.',
  },
  steps: { giveBack: 'the payment provider to report the outcome of the refund' },
  sleepsUntil: 'the next check of a refund that the bank processes for days',
  failures: PROVIDER_FAILURES,
  cancel: { when: 'never', says: 'The refund may already be in progress at the payment provider.' },
  example: (newId) => ({ captureId: newId(), resolutionId: newId() }),
} as const satisfies ProcessContract<DonationRefundInput, DonationRefundOutcome>;
