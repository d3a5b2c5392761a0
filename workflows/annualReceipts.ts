import {
  ActivityCancellationType,
  CancellationScope,
  CancelledFailure,
  continueAsNew,
  isCancellation,
  proxyActivities,
  sleep,
} from '@temporalio/workflow';
import type * as steps from '../activities/foundation/annualReceipts.js';
import {
  annualReceipts as entry,
  annualReceiptsEverywhere as schedule,
  type AnnualReceiptsInput,
  type AnnualReceiptsOutcome,
} from './contracts/annualReceipts.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

/** Number of pages until the workflow continues as new, so that the history of a run stays short. */
const PAGES_PER_RUN = 100;
const BATCHES_PER_RUN = 100;

const CANCELLATION_TIMEOUT = '1 minute';

const { issueNextAnnualReceipts, finishAnnualReceipts, cancelAnnualReceipts } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  // On cancellation, wait until the running page has completed; the run is closed only after that.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

const { mailAnnualReceipts } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 minutes' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

type Input = AnnualReceiptsInput & { after?: string | null };

/**
 * Issues and mails the annual receipts that a run planned, one page of donors at a time. If the process is cancelled,
 * receipts that were already issued stay, and are mailed by processes of their own.
 */
export async function annualReceipts(input: Input): Promise<AnnualReceiptsOutcome> {
  try {
    return await issuePages(input);
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => endCancelled(input));
    throw error;
  }
}

async function issuePages(input: Input): Promise<AnnualReceiptsOutcome> {
  stage('issuing');
  let after = input.after ?? null;
  for (let pages = 0; pages < PAGES_PER_RUN; pages += 1) {
    const upTo = await issueNextAnnualReceipts({ ...input, after });
    endIfCancelled();
    if (upTo === null) return finish(input);
    await mailAnnualReceipts({ ...input, after, upTo });
    after = upTo;
  }
  // Check for a cancellation before the workflow continues as new, because the new run would not receive it.
  endIfCancelled();
  return continueAsNew<typeof annualReceipts>({ ...input, after });
}

/** Ends the process if it was cancelled. A page that is running during the cancellation still succeeds. */
function endIfCancelled(): void {
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The run was cancelled.');
}

async function finish(input: Input): Promise<AnnualReceiptsOutcome> {
  stage('finishing');
  const end = await CancellationScope.nonCancellable(() => finishAnnualReceipts(input));
  // A cancellation changes the row first and reaches the process a moment later. Wait for it here; if it does not come
  // in time, the process ends by itself.
  if (end === 'cancelled') await sleep(CANCELLATION_TIMEOUT);
  const outcome = end === 'running' ? 'issued' : end;
  stage(outcome);
  return outcome;
}

async function endCancelled(input: Input): Promise<void> {
  await cancelAnnualReceipts(input);
  stage('cancelled');
}

const { startNextAnnualReceipts } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Starts a run in every organization whose donors lack annual receipts, one batch of organizations at a time. Started by a
 * Schedule.
 */
export async function annualReceiptsEverywhere(after: string | null = null): Promise<'started'> {
  stagesOf(schedule)('starting');
  let cursor = after;
  for (let batches = 0; batches < BATCHES_PER_RUN; batches += 1) {
    cursor = await startNextAnnualReceipts(cursor);
    if (cursor === null) return 'started';
  }
  return continueAsNew<typeof annualReceiptsEverywhere>(cursor);
}
