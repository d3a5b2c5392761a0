import { PROVIDER_FAILURES } from './failures.js';
import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface PayRemittanceInput extends TenantInput {
  remittanceId: string;
  attemptId: string;
  chapterId: string;
}

/** How an attempt ended. The rows hold the details. */
export type PayRemittanceOutcome = 'settled' | 'declined' | 'flagged';

/** Charges a remittance once, then settles or flags it. */
export const payRemittance = {
  ...tenantProcess,
  name: 'payRemittance',
  kind: 'remittance_payment',
  taskQueue: 'payments',
  priority: 1,
  workflowId: ({ remittanceId, attemptId }) => `remittance-payment/${remittanceId}/${attemptId}`,
  subject: { type: 'remittance', id: 'remittanceId' },
  chapterId: ({ chapterId }) => chapterId,
  summary: 'Charge a remittance once, then settle or flag it',
  expectedMinutes: 5,
  money: 'by_rows',
  stages: {
    opening: 'The charge is being opened at the payment provider. No money is captured yet.',
    charging: 'The payment provider is being asked to capture the money.',
    abandoning: 'The charge is being cancelled at the payment provider, so that it can never capture money.',
    settling: 'The money was captured. It is being credited to the members.',
  },
  ends: {
    settled: 'Paid. The money is credited to the members.',
    declined: 'No money was captured. The remittance is a draft again.',
    flagged: 'Money was captured but could not be credited as intended. An administrator must resolve the remittance.',
  },
  steps: {
    openCharge: 'the payment provider to open the charge; no money is captured yet',
    confirmCharge: 'the payment provider to report whether it captured the money',
    abandonCharge: 'the payment provider to cancel the charge',
    settleCharge: 'the money to be credited to the members',
  },
  failures: PROVIDER_FAILURES,
  cancel: {
    when: 'before_money',
    rows: 'changed',
    outcomeWhenCancelled: null,
    stages: ['started', 'opening'],
    says: 'The charge is cancelled before it captures money. The remittance is a draft again.',
  },
  example: (newId) => ({ remittanceId: newId(), attemptId: newId(), chapterId: newId() }),
} as const satisfies ProcessContract<PayRemittanceInput, PayRemittanceOutcome>;
