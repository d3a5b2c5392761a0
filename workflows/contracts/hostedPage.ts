import { PROVIDER_FAILURES } from './failures.js';
import type { ProcessContract, TenantInput } from './process.js';

export interface HostedPageInput extends TenantInput {
  attemptId: string;
}

/** How a page ended. `flagged`: its payment is kept for an administrator. */
export type HostedPageOutcome = 'paid' | 'closed' | 'flagged';

/** Signal: look at the page; the payer returned, an event came, or its row says that it is to close. */
export const LOOK = 'look';

/** Opens a hosted page and asks the payment provider for its outcome until it is known. */
export const hostedPage = {
  name: 'hostedPage',
  kind: 'hosted_page',
  taskQueue: 'payments',
  priority: 1,
  workflowId: ({ attemptId }) => `hosted-page/${attemptId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'many',
  seenBy: 'organization',
  subject: { type: 'payment_attempt', id: 'attemptId' },
  chapterId: () => null,
  summary: 'Open a hosted page, and find out what became of it',
  // A page is open for a day; the outcome is known within another hour.
  expectedMinutes: 25 * 60,
  money: 'by_rows',
  stages: {
    opening: 'The page is opened at the payment provider.',
    open: 'The page is open: it may be paid, and the payment provider is asked about it.',
  },
  ends: {
    paid: 'Paid: the invoice is credited with what was paid on the page.',
    closed: 'Nobody paid, and nobody can any more: the page is closed.',
    flagged: 'Money was taken that could not be credited as meant: an administrator has to decide about it.',
  },
  steps: {
    openPage: 'the payment provider to open the page',
    lookAtPage: 'the payment provider to say what became of the page',
  },
  sleepsUntil: 'somebody to pay on the page, or the time to ask the provider about it',
  failures: PROVIDER_FAILURES,
  cancel: {
    when: 'any_time',
    rows: 'changed',
    endsAs: 'closed',
    says: 'Nobody can pay on the page any more: it is closed at the provider or, where a provider closes none, what is held there is let go. A payment that was made before is recorded.',
  },
  example: (newId) => ({ attemptId: newId() }),
} as const satisfies ProcessContract<HostedPageInput, HostedPageOutcome>;
