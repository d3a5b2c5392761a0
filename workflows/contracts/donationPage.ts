import { PROVIDER_FAILURES } from './failures.js';
import { type ProcessContract, type TenantInput, tenantProcess } from './process.js';

export interface DonationPageInput extends TenantInput {
  attemptId: string;
}

/** How a page ended. `flagged`: its payment waits for an administrator. */
export type DonationPageOutcome = 'paid' | 'closed' | 'flagged';

/** Opens the hosted page of a gift and asks the payment provider for its outcome until it is known. */
export const donationPage = {
  ...tenantProcess,
  name: 'donationPage',
  kind: 'donation_page',
  taskQueue: 'payments',
  priority: 1,
  workflowId: ({ attemptId }) => `donation-page/${attemptId}`,
  waitingRows: 'many',
  seenBy: 'foundation',
  subject: { type: 'payment_attempt', id: 'attemptId' },
  summary: 'Open the hosted page of a gift and determine its outcome',
  // A page is open for a day. The outcome is known within another hour.
  expectedMinutes: 25 * 60,
  money: 'by_rows',
  stages: {
    opening: 'The page is being opened at the payment provider.',
    open: 'The page is open and can be paid. The payment provider is checked for its outcome.',
  },
  ends: {
    paid: 'Paid. The gift is completed.',
    closed: 'Not paid. The page is closed and can no longer be paid.',
    flagged: 'Another amount or currency was captured than the gift’s. An administrator must decide.',
  },
  steps: {
    openPage: 'the payment provider to open the page',
    lookAtPage: 'the payment provider to report the outcome of the page',
  },
  sleepsUntil: 'a payment on the page, or the next check at the provider',
  failures: PROVIDER_FAILURES,
  cancel: {
    when: 'any_time',
    rows: 'changed',
    outcomeWhenCancelled: 'closed',
    says: 'The page can no longer be paid: it is closed at the provider or, if the provider cannot close pages, its authorization is released. A payment that was made before is recorded.',
  },
  example: (newId) => ({ attemptId: newId() }),
} as const satisfies ProcessContract<DonationPageInput, DonationPageOutcome>;
