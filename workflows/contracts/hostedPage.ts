import type { ProcessContract, TenantInput } from './process.js';

export interface HostedPageInput extends TenantInput {
  attemptId: string;
}

/** How a page ended. `flagged`: what it took is kept for an administrator. */
export type HostedPageOutcome = 'paid' | 'closed' | 'flagged';

/** Tells the process that the page is worth a look: somebody clicked, an event came, or its row says that it is to close. */
export const LOOK = 'look';

/** Opens a hosted page and asks what became of it until the payment provider has said so. */
export const hostedPage: ProcessContract<HostedPageInput> = {
  name: 'hostedPage',
  kind: 'hosted_page',
  taskQueue: 'payments',
  workflowId: ({ attemptId }) => `hosted-page/${attemptId}`,
  subject: { type: 'payment_attempt', id: 'attemptId' },
  summary: 'Open a hosted page, and find out what became of it',
  priority: 1,
  // A page is open for a day; then there is an hour to find out.
  expectedMinutes: 25 * 60,
  steps: {
    openPage: 'the payment provider to open the page',
    lookAtPage: 'the payment provider to say what became of the page',
  },
  sleepsUntil: 'somebody to pay on the page, or the time to ask the provider about it',
  cancel: {
    when: 'any_time',
    says: 'The page is closed at the provider, so that nobody can pay on it. A payment that was made before is recorded.',
  },
};
