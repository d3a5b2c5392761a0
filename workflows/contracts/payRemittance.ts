import type { ProcessContract, TenantInput } from './process.js';

export interface PayRemittanceInput extends TenantInput {
  remittanceId: string;
  attemptId: string;
  chapterId: string;
}

/** How an attempt ended. The rows hold the details. */
export type PayRemittanceOutcome = 'settled' | 'declined' | 'flagged';

/** Charges a remittance once, then settles or flags it. */
export const payRemittance: ProcessContract<PayRemittanceInput> = {
  name: 'payRemittance',
  kind: 'remittance_payment',
  taskQueue: 'payments',
  workflowId: ({ remittanceId, attemptId }) => `remittance-payment/${remittanceId}/${attemptId}`,
  subjectId: ({ remittanceId }) => remittanceId,
  chapterId: ({ chapterId }) => chapterId,
  summary: 'Charge a remittance once, then settle or flag it',
  priority: 1,
  expectedMinutes: 5,
};
