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
import { issueDues as entry, type IssueDuesInput, type IssueDuesOutcome } from './contracts/issueDues.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

/**
 * Number of batches until the workflow continues as new, so that the history of a run stays short however many chapters
 * there are.
 */
const BATCHES_PER_RUN = 100;

const CANCELLATION_TIMEOUT = '1 minute';

const { issueNextDues, finishDues, cancelDues } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  // On cancellation, wait until the running batch has completed; the dues run is closed only after that.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

type Input = IssueDuesInput & { after?: string | null };

/**
 * Issues the invoices that a dues run planned, one batch of chapters at a time. If the process is cancelled, invoices
 * that were already issued stay.
 */
export async function issueDues(input: Input): Promise<IssueDuesOutcome> {
  try {
    return await issueBatches(input);
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => endCancelled(input));
    throw error;
  }
}

async function issueBatches(input: Input): Promise<IssueDuesOutcome> {
  stage('issuing');
  let after = input.after ?? null;
  for (let batches = 0; batches < BATCHES_PER_RUN; batches += 1) {
    after = await issueNextDues({ ...input, after });
    if (after === null) return finish(input);
  }
  // Check for a cancellation before the workflow continues as new, because the new run would not receive it.
  endIfCancelled();
  return continueAsNew<typeof issueDues>({ ...input, after });
}

/**
 * Ends the process if it was cancelled. The check is needed because a batch that is running during the cancellation
 * still succeeds and throws no error.
 */
function endIfCancelled(): void {
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The run was cancelled.');
}

async function finish(input: Input): Promise<IssueDuesOutcome> {
  endIfCancelled();
  stage('finishing');
  const end = await CancellationScope.nonCancellable(() => finishDues(input));
  if (end === 'stopped_right_lost') {
    stage(end);
    return end;
  }
  if (end !== 'cancelled') {
    stage('issued');
    return 'issued';
  }
  // A cancellation changes the row first and reaches the process a moment later. Wait for it here; if it does not come
  // in time, the process ends by itself.
  await sleep(CANCELLATION_TIMEOUT);
  stage('cancelled');
  return 'cancelled';
}

async function endCancelled(input: Input): Promise<void> {
  await cancelDues(input);
  stage('cancelled');
}
