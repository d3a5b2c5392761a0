import type { ProcessContract, TenantInput } from './process.js';

export interface GiveBackPaymentInput extends TenantInput {
  captureId: string;
  /** The row that asked for it. */
  resolutionId: string;
}

/** `refused`: the provider says that the money stays where it is. */
export type GiveBackPaymentOutcome = 'refunded' | 'refused';

/** Gives back a payment that was for nothing here, once. */
export const giveBackPayment: ProcessContract<GiveBackPaymentInput> = {
  name: 'giveBackPayment',
  kind: 'payment_refund',
  taskQueue: 'payments',
  workflowId: ({ resolutionId }) => `payment-refund/${resolutionId}`,
  subject: { type: 'processor_capture', id: 'captureId' },
  summary: 'Give back a payment that was for nothing here',
  priority: 2,
  expectedMinutes: 60,
  steps: { giveBack: 'the payment provider to say whether it gives the money back' },
  sleepsUntil: 'the payment provider to be asked again about a refund that a bank takes days for',
  cancel: { when: 'never', says: 'The money may be on its way back already; only the payment provider knows.' },
};
