import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface RefundRequestInput extends TenantInput {
  requestId: string;
}

export type RefundRequestOutcome = 'approved' | 'refused' | 'withdrawn' | 'expired';

/** Signal: the request has changed. */
export const REQUEST_CHANGED = 'changed';

/** Waits for the decision on a refund that an officer requested. */
export const refundRequest = {
  ...tenantProcess,
  name: 'refundRequest',
  kind: 'refund_request',
  taskQueue: 'payments',
  priority: 3,
  workflowId: ({ requestId }) => `refund-request/${requestId}`,
  subject: { type: 'refund_request', id: 'requestId' },
  summary: 'Wait for the decision on a refund',
  expectedMinutes: null,
  money: 'never',
  stages: {
    waiting: 'The administrators have been notified.',
    reminded: 'The request was not decided within three days. The administrators have been reminded.',
  },
  ends: {
    approved: 'An administrator approved the refund.',
    refused: 'An administrator refused the request.',
    withdrawn: 'The request was withdrawn.',
    expired: 'The request was not decided within thirty days.',
  },
  steps: { followRefundRequest: 'the request to be checked, and the administrators to be notified' },
  sleepsUntil: 'the reminder, or the expiry of the request',
  cancel: {
    when: 'any_time',
    rows: 'changed',
    outcomeWhenCancelled: 'withdrawn',
    says: 'The request is withdrawn. The officer may submit a new one.',
  },
  example: (newId) => ({ requestId: newId() }),
} as const satisfies ProcessContract<RefundRequestInput, RefundRequestOutcome>;
