import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/issueDues.js';
import type { IssueDuesInput } from './contracts/issueDues.js';
import { stage } from './stage.js';

/** Keeps one run's history short, however many chapters there are. */
const PAGES_PER_RUN = 100;

const { issueNextDues, finishDues } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Issues the invoices that a dues run planned, a page of chapters at a time. */
export async function issueDues(input: IssueDuesInput & { after?: string | null }): Promise<void> {
  stage('issuing');
  let after = input.after ?? null;
  for (let pages = 0; pages < PAGES_PER_RUN; pages += 1) {
    after = await issueNextDues({ ...input, after });
    if (after === null) {
      stage('finishing');
      await finishDues(input);
      stage('issued');
      return;
    }
  }
  await continueAsNew<typeof issueDues>({ ...input, after });
}
