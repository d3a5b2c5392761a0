import { PROVIDER_FAILURES } from './failures.js';
import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface ApplyProcessorEventInput extends TenantInput {
  /** Id of the row in the event ledger, not the processor's own id. */
  webhookEventId: string;
}

/** Applies one verified processor event to its payments. */
export const applyProcessorEvent = {
  ...tenantProcess,
  name: 'applyProcessorEvent',
  kind: 'processor_event',
  taskQueue: 'payments',
  priority: 2,
  workflowId: ({ webhookEventId }) => `processor-event/${webhookEventId}`,
  subject: { type: 'webhook_event', id: 'webhookEventId' },
  summary: 'Apply a verified event of the payment processor',
  expectedMinutes: 5,
  money: 'by_rows',
  stages: { applying: 'The reported event is being recorded.' },
  ends: { applied: 'The reported event is recorded.' },
  steps: { applyStoredEvent: 'the event to be recorded with its payment' },
  failures: {
    ...PROVIDER_FAILURES,
    RefundBeforePayment: {
      code: 'payment_not_known_yet',
      detail: 'A refund was reported before its payment was recorded.',
    },
  },
  cancel: { when: 'never', says: 'The reported event has already happened and must be recorded.' },
  example: (newId) => ({ webhookEventId: newId() }),
} as const satisfies ProcessContract<ApplyProcessorEventInput, 'applied'>;
