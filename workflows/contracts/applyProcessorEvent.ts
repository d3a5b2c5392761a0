import type { ProcessContract, TenantInput } from './process.js';

export interface ApplyProcessorEventInput extends TenantInput {
  /** The row of the event ledger, not the processor's own id. */
  webhookEventId: string;
}

/** Applies one verified processor event to the payments it is about. */
export const applyProcessorEvent: ProcessContract<ApplyProcessorEventInput> = {
  name: 'applyProcessorEvent',
  kind: 'processor_event',
  taskQueue: 'payments',
  workflowId: ({ webhookEventId }) => `processor-event/${webhookEventId}`,
  subject: { type: 'webhook_event', id: 'webhookEventId' },
  summary: 'Apply a verified event of the payment processor',
  priority: 2,
  expectedMinutes: 5,
  steps: { applyStoredEvent: 'the event to be recorded with the payment that it is about' },
  cancel: { when: 'never', says: 'What the payment provider reports has happened, and is to be recorded.' },
};
