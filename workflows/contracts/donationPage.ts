import { hostedPage, type HostedPageInput, type HostedPageOutcome } from './hostedPage.js';
import type { ProcessContract } from './process.js';

/** Opens the hosted page of a gift, with the same steps as the hosted page of an invoice. */
export const donationPage = {
  ...hostedPage,
  name: 'donationPage',
  kind: 'donation_page',
  workflowId: ({ attemptId }) => `donation-page/${attemptId}`,
  seenBy: 'foundation',
  summary: 'Open the hosted page of a gift and determine its outcome',
  ends: {
    paid: 'Paid. The gift is completed.',
    closed: hostedPage.ends.closed,
    flagged: 'Another amount or currency was captured than the gift’s. An administrator must decide.',
  },
} as const satisfies ProcessContract<HostedPageInput, HostedPageOutcome>;
