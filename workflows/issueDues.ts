import {
  ActivityCancellationType,
  CancellationScope,
  continueAsNew,
  CancelledFailure,
  isCancellation,
  proxyActivities,
  sleep,
} from '@temporalio/workflow';
import type * as steps from '../activities/finances/issueDues.js';
import type { IssueDuesInput } from './contracts/issueDues.js';
import { stage } from './stage.js';

/** Keeps one run's history short, however many chapters there are. */
const PAGES_PER_RUN = 100;

const ASKED_TO_END_WITHIN = '1 minute';

const { issueNextDues, finishDues, cancelDues } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  // A page that is being issued is issued whole; the run is closed after it.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

type Input = IssueDuesInput & { after?: string | null };

/** Issues the invoices that a dues run planned, a page of chapters at a time. Cancelled, it leaves what was issued. */
export async function issueDues(input: Input): Promise<void> {
  try {
    await issuePages(input);
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => endCancelled(input));
    throw error;
  }
}

async function issuePages(input: Input): Promise<void> {
  stage('issuing');
  let after = input.after ?? null;
  for (let pages = 0; pages < PAGES_PER_RUN; pages += 1) {
    after = await issueNextDues({ ...input, after });
    if (after === null) return finish(input);
  }
  // The next run would not know of it.
  endIfCancelled();
  await continueAsNew<typeof issueDues>({ ...input, after });
}

/** A page that was being issued when the process was asked to end has succeeded all the same. */
function endIfCancelled(): void {
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The run was cancelled.');
}

async function finish(input: Input): Promise<void> {
  endIfCancelled();
  stage('finishing');
  const end = await CancellationScope.nonCancellable(() => finishDues(input));
  if (end !== 'cancelled') return stage('issued');
  // The run is cancelled before its process is asked to end; if nobody asks, there is nothing left to do all the same.
  await sleep(ASKED_TO_END_WITHIN);
  stage('cancelled');
}

async function endCancelled(input: Input): Promise<void> {
  await cancelDues(input);
  stage('cancelled');
}
