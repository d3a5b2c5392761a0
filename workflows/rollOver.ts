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

/** Keeps one run's history short, however many members there are. */
const PAGES_PER_RUN = 100;

const ASKED_TO_END_WITHIN = '1 minute';

const { moveMembers, finishRollover, cancelRollover } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  // A page that is under way is done whole; the run is closed after it.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** Makes the graduates of a rollover alumni, a page at a time. Cancelled, it leaves who was moved. */
export async function rollOver(input: RolloverInput): Promise<RollOverOutcome> {
  try {
    return await movePages(input);
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => endCancelled(input));
    throw error;
  }
}

/** Lines say themselves who waits: there is no cursor to carry on. */
async function movePages(input: RolloverInput): Promise<RollOverOutcome> {
  stage('moving');
  for (let pages = 0; pages < PAGES_PER_RUN; pages += 1) {
    const isMore = await moveMembers(input);
    // A page that was under way when the process was asked to end has succeeded all the same.
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
  // The run is cancelled before its process is asked to end; if nobody asks, there is nothing left to do all the same.
  await sleep(ASKED_TO_END_WITHIN);
  stage('cancelled');
  return 'cancelled';
}

async function endCancelled(input: RolloverInput): Promise<void> {
  await cancelRollover(input);
  stage('cancelled');
}
