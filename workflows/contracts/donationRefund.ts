import type { ProcessContract } from './process.js';
import {
  giveBackPayment,
  type RefundUnmatchedPaymentInput,
  type RefundUnmatchedPaymentOutcome,
} from './refundUnmatchedPayment.js';

/** Refunds the payment of a gift once, with the same step that refunds an unmatched payment. */
export const donationRefund = {
  ...giveBackPayment,
  name: 'donationRefund',
  kind: 'donation_refund',
  workflowId: ({ resolutionId }) => `donation-refund/${resolutionId}`,
  seenBy: 'foundation',
  summary: 'Refund a gift',
  ends: {
    refunded: giveBackPayment.ends.refunded,
    refused: 'The refund failed. The money stays in the account; an administrator can request the refund again.',
  },
} as const satisfies ProcessContract<RefundUnmatchedPaymentInput, RefundUnmatchedPaymentOutcome>;
