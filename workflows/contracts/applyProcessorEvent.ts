import { PROVIDER_FAILURES } from './failures.js';
import type { ProcessContract, TenantInput } from './process.js';

export interface ApplyProcessorEventInput extends TenantInput {
  /** Id of the row in the event ledger, not the processor's own id. */
  webhookEventId: string;
}

/** Applies one verified processor event to its payments. */
export const applyProcessorEvent = {
  name: 'applyProcessorEvent',
  kind: 'processor_event',
  taskQueue: 'payments',
  priority: 2,
  workflowId: ({ webhookEventId }) => `processor-event/${webhookEventId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'webhook_event', id: 'webhookEventId' },
  chapterId: () => null,
  summary: 'Apply a verified event of the payment processor',
  expectedMinutes: 5,
  money: 'by_rows',
  stages: { applying: 'What the payment provider reports is recorded.' },
  ends: { applied: 'What the payment provider reported is on record.' },
  steps: { applyStoredEvent: 'the event to be recorded with the payment that it is about' },
  sleepsUntil: null,
  failures: {
    ...PROVIDER_FAILURES,
    RefundBeforePayment: {
      code: 'payment_not_known_yet',
      detail: 'A refund was reported whose payment is not recorded yet.',
    },
  },
  cancel: { when: 'never', says: 'What the payment provider reports has happened, and is to be recorded.' },
  example: (newId) => ({ webhookEventId: newId() }),
} as const satisfies ProcessContract<ApplyProcessorEventInput, 'applied'>;
