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

/** Bounds a run's history, however many chapters there are. */
const BATCHES_PER_RUN = 100;

const CANCELLATION_TIMEOUT = '1 minute';

const { issueNextDues, finishDues, cancelDues } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  // A running batch completes before the run is closed.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

type Input = IssueDuesInput & { after?: string | null };

/**
 * Issues the invoices that a dues run planned, one batch of chapters at a time. Cancelling leaves invoices already
 * issued.
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
  // The continued run would not receive the cancellation.
  endIfCancelled();
  return continueAsNew<typeof issueDues>({ ...input, after });
}

/** A batch that runs when the process is cancelled still succeeds, so the cancellation is checked separately. */
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
  // The row is cancelled before the process. Wait for the cancellation of the process; if it does not come, the process
  // ends here.
  await sleep(CANCELLATION_TIMEOUT);
  stage('cancelled');
  return 'cancelled';
}

async function endCancelled(input: Input): Promise<void> {
  await cancelDues(input);
  stage('cancelled');
}
