import {
  ActivityCancellationType,
  CancellationScope,
  continueAsNew,
  CancelledFailure,
  isCancellation,
  proxyActivities,
  sleep,
} from '@temporalio/workflow';
import type * as steps from '../activities/organizations/rollovers.js';
import { rollOver as entry, type RolloverInput, type RollOverOutcome } from './contracts/rollOver.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

/**
 * Number of batches until the workflow continues as new, so that the history of a run stays short however many members
 * there are.
 */
const BATCHES_PER_RUN = 100;

const CANCELLATION_TIMEOUT = '1 minute';

const { moveMembers, finishRollover, cancelRollover } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  // On cancellation, wait until the running batch has completed; the rollover is closed only after that.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/**
 * Makes the graduates of a rollover alumni, one batch at a time. If the process is cancelled, members who were already
 * moved stay moved.
 */
export async function rollOver(input: RolloverInput): Promise<RollOverOutcome> {
  try {
    return await moveBatches(input);
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => endCancelled(input));
    throw error;
  }
}

/** Moves all graduates. The rows record which members remain, so no cursor is needed. */
async function moveBatches(input: RolloverInput): Promise<RollOverOutcome> {
  stage('moving');
  for (let batches = 0; batches < BATCHES_PER_RUN; batches += 1) {
    const hasMore = await moveMembers(input);
    // The check is needed because a batch that is running during the cancellation still succeeds and throws no error.
    if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The rollover was cancelled.');
    if (!hasMore) return finish(input);
  }
  return continueAsNew<typeof rollOver>(input);
}

async function finish(input: RolloverInput): Promise<RollOverOutcome> {
  stage('finishing');
  const end = await CancellationScope.nonCancellable(() => finishRollover(input));
  if (end === 'stopped_right_lost') {
    stage(end);
    return end;
  }
  if (end !== 'cancelled') {
    stage('moved');
    return 'moved';
  }
  // A cancellation changes the row first and reaches the process a moment later. Wait for it here; if it does not come
  // in time, the process ends by itself.
  await sleep(CANCELLATION_TIMEOUT);
  stage('cancelled');
  return 'cancelled';
}

async function endCancelled(input: RolloverInput): Promise<void> {
  await cancelRollover(input);
  stage('cancelled');
}
