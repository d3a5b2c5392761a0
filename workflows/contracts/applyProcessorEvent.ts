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
  subjectId: ({ webhookEventId }) => webhookEventId,
  summary: 'Apply a verified event of the payment processor',
  priority: 2,
  expectedMinutes: 5,
};
