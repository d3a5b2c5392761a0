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
  subject: { type: 'remittance', id: 'remittanceId' },
  chapterId: ({ chapterId }) => chapterId,
  summary: 'Charge a remittance once, then settle or flag it',
  priority: 1,
  expectedMinutes: 5,
  steps: {
    openCharge: 'the payment provider to open the charge; nothing is taken yet',
    confirmCharge: 'the payment provider to say whether it took the money',
    abandonCharge: 'the payment provider to make sure that the charge can never take anything',
    settleCharge: 'the members to be credited with what was charged',
  },
  cancel: {
    when: 'before_money',
    stages: ['started', 'opening'],
    says: 'The charge is given up before it takes anything; the remittance is a draft again.',
  },
};
