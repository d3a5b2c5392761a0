import { PROVIDER_FAILURES } from './failures.js';
import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';
import { PLEDGE_CHANGED } from './recurringPledge.js';

export interface PledgeChargeInput extends TenantInput {
  pledgeId: string;
  /** The number of the period. */
  period: string;
}

/** `withdrawn`: the pledge was paused or cancelled first. `returned`: it was cancelled meanwhile, and the money went back. */
export type PledgeChargeOutcome = 'paid' | 'missed' | 'withdrawn' | 'returned';

/** Signal: the period, its pledge or its payment page has changed. */
export const PERIOD_CHANGED = PLEDGE_CHANGED;

/** Charges one period of a pledge, up to four times in two weeks. */
export const pledgeCharge = {
  ...tenantProcess,
  name: 'pledgeCharge',
  kind: 'pledge_charge',
  taskQueue: 'payments',
  priority: 2,
  workflowId: ({ pledgeId, period }) => `pledge-charge/${pledgeId}/${period}`,
  allowRestart: true,
  waitingRows: 'many',
  seenBy: 'foundation',
  subject: { type: 'recurring_pledge', id: 'pledgeId' },
  summary: 'Charge one period of a pledge',
  // The last try is 14 days after the first one.
  expectedMinutes: 15 * 24 * 60,
  money: 'by_rows',
  stages: {
    charging: 'The next charge of the period is being made, if one is due.',
    abandoning: 'The charge is being cancelled at the payment provider, so that it can never capture money.',
    waiting: 'The next charge of the period is not due yet, or charges are held.',
    returning: 'The pledge was cancelled during the charge. The money is being returned.',
  },
  ends: {
    paid: 'Paid. The gift of the period is completed.',
    missed: 'Each charge was declined. The period is not charged any more.',
    withdrawn: 'The pledge was paused or cancelled before money was taken.',
    returned: 'The pledge was cancelled during the charge, and the money was returned.',
  },
  steps: {
    chargePeriod: 'the payment provider to report whether it captured the money',
    abandonPledgeCharge: 'the payment provider to cancel the charge',
  },
  sleepsUntil: 'the next charge of the period, or the end of its payment page',
  failures: PROVIDER_FAILURES,
  cancel: { when: 'never', says: 'Cancel the pledge instead.' },
  example: (newId) => ({ pledgeId: newId(), period: '1' }),
} as const satisfies ProcessContract<PledgeChargeInput, PledgeChargeOutcome>;
