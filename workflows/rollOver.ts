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

/** Bounds a run's history, however many members there are. */
const PAGES_PER_RUN = 100;

const ASKED_TO_END_WITHIN = '1 minute';

const { moveMembers, finishRollover, cancelRollover } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  // A running batch completes; the run is closed after it.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** Makes the graduates of a rollover alumni, one batch at a time. Cancelled, it leaves moved members. */
export async function rollOver(input: RolloverInput): Promise<RollOverOutcome> {
  try {
    return await movePages(input);
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => endCancelled(input));
    throw error;
  }
}

/** Lines record which members are left, so no cursor is needed. */
async function movePages(input: RolloverInput): Promise<RollOverOutcome> {
  stage('moving');
  for (let pages = 0; pages < PAGES_PER_RUN; pages += 1) {
    const isMore = await moveMembers(input);
    // A batch that was running when the process was cancelled has succeeded all the same.
    if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The rollover was cancelled.');
    if (!isMore) return finish(input);
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
  // The row is cancelled before the process; without a cancellation of the process there is nothing left to do
  // either.
  await sleep(ASKED_TO_END_WITHIN);
  stage('cancelled');
  return 'cancelled';
}

async function endCancelled(input: RolloverInput): Promise<void> {
  await cancelRollover(input);
  stage('cancelled');
}
