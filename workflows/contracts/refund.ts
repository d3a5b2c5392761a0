import { PROVIDER_FAILURES } from './failures.js';
import type { ProcessContract, TenantInput } from './process.js';

export interface RefundInput extends TenantInput {
  refundId: string;
}

/** `failed`: the provider did not refund. */
export type RefundOutcome = 'succeeded' | 'failed';

/** Refunds money of an invoice on the charge that captured it, once. */
export const refund = {
  name: 'refund',
  kind: 'refund',
  taskQueue: 'payments',
  priority: 2,
  workflowId: ({ refundId }) => `refund/${refundId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'refund', id: 'refundId' },
  chapterId: () => null,
  summary: 'Give money back on the charge that took it',
  expectedMinutes: 60,
  money: 'by_rows',
  stages: { sending: 'The payment provider is asked to give the money back, or whether it has.' },
  ends: { succeeded: 'The money went back.', failed: 'The money stays where it is: it can be given back again.' },
  steps: { sendRefund: 'the payment provider to say whether it gives the money back' },
  sleepsUntil: 'the payment provider to be asked again about a refund that a bank takes days for',
  failures: PROVIDER_FAILURES,
  cancel: {
    when: 'before_money',
    stages: ['sending'],
    rows: 'changed',
    endsAs: 'failed',
    says: 'The payment provider was not asked yet: the money stays where it is.',
  },
  example: (newId) => ({ refundId: newId() }),
} as const satisfies ProcessContract<RefundInput, RefundOutcome>;
