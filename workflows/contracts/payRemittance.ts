import { PROVIDER_FAILURES } from './failures.js';
import type { ProcessContract, TenantInput } from './process.js';

export interface PayRemittanceInput extends TenantInput {
  remittanceId: string;
  attemptId: string;
  chapterId: string;
}

/** How an attempt ended. The rows hold the details. */
export type PayRemittanceOutcome = 'settled' | 'declined' | 'flagged';

/** Charges a remittance once, then settles or flags it. */
export const payRemittance = {
  name: 'payRemittance',
  kind: 'remittance_payment',
  taskQueue: 'payments',
  priority: 1,
  workflowId: ({ remittanceId, attemptId }) => `remittance-payment/${remittanceId}/${attemptId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'remittance', id: 'remittanceId' },
  chapterId: ({ chapterId }) => chapterId,
  summary: 'Charge a remittance once, then settle or flag it',
  expectedMinutes: 5,
  money: 'by_rows',
  stages: {
    opening: 'The charge is opened at the payment provider; nothing is taken yet.',
    charging: 'The payment provider is asked to take the money, or whether it has.',
    abandoning: 'The charge is closed at the payment provider, so that it can never take anything.',
    settling: 'The money was taken; the members are credited with it.',
  },
  ends: {
    settled: 'Paid: the members are credited with what was charged.',
    declined: 'Nothing was taken: the remittance is a draft again.',
    flagged: 'Money was taken that could not be credited as meant: an administrator has to resolve the remittance.',
  },
  steps: {
    openCharge: 'the payment provider to open the charge; nothing is taken yet',
    confirmCharge: 'the payment provider to say whether it took the money',
    abandonCharge: 'the payment provider to make sure that the charge can never take anything',
    settleCharge: 'the members to be credited with what was charged',
  },
  sleepsUntil: null,
  failures: PROVIDER_FAILURES,
  cancel: {
    when: 'before_money',
    rows: 'changed',
    endsAs: null,
    stages: ['started', 'opening'],
    says: 'The charge is given up before it takes anything; the remittance is a draft again.',
  },
  example: (newId) => ({ remittanceId: newId(), attemptId: newId(), chapterId: newId() }),
} as const satisfies ProcessContract<PayRemittanceInput, PayRemittanceOutcome>;
