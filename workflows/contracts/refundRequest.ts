import type { ProcessContract, TenantInput } from './process.js';

export interface RefundRequestInput extends TenantInput {
  requestId: string;
}

export type RefundRequestOutcome = 'approved' | 'refused' | 'withdrawn' | 'expired';

/** Signal: the request has changed. */
export const LOOK_AGAIN = 'changed';

/** Waits for the decision on a refund that an officer requested. */
export const refundRequest = {
  name: 'refundRequest',
  kind: 'refund_request',
  taskQueue: 'payments',
  priority: 3,
  workflowId: ({ requestId }) => `refund-request/${requestId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'refund_request', id: 'requestId' },
  chapterId: () => null,
  summary: 'Wait for the decision on a refund',
  expectedMinutes: null,
  money: 'never',
  stages: {
    waiting: 'The administrators have been told.',
    reminded: 'Nobody has decided within three days: they have been told once more.',
  },
  ends: {
    approved: 'An administrator gave the money back.',
    refused: 'An administrator refused it.',
    withdrawn: 'Nobody asks for it any more.',
    expired: 'Nobody decided within thirty days.',
  },
  steps: { followRefundRequest: 'the request to be looked at, and those who decide to be told' },
  sleepsUntil: 'the reminder, or the end of the request’s time',
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: 'withdrawn',
    says: 'The request is withdrawn; the officer may ask again.',
  },
  example: (newId) => ({ requestId: newId() }),
} as const satisfies ProcessContract<RefundRequestInput, RefundRequestOutcome>;
