import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  sleep,
} from '@temporalio/workflow';
import type * as steps from '../activities/organizations/storageMigrations.js';
import {
  storageMigration as entry,
  type StorageMigrationInput,
  type StorageMigrationOutcome,
} from './contracts/storageMigration.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

/**
 * Number of batches until the workflow continues as new, so that the history of a run stays short however many files
 * there are.
 */
const BATCHES_PER_RUN = 200;
const CHECK_AGAIN_AFTER = '1 minute';

// A file may be several gigabytes in size, and one attempt must be able to copy all of it.
const { moveNextFiles } = proxyActivities<typeof steps>({
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 15 },
});

const { settleStorageMigration, failStorageMigration, stopStorageMigration } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Moves an organization's files to another store. The rows record which files remain, so no cursor is needed. */
export async function storageMigration(input: StorageMigrationInput): Promise<StorageMigrationOutcome> {
  try {
    for (let batches = 0; batches < BATCHES_PER_RUN; batches += 1) {
      stage('copying');
      if (await moveNextFiles(input)) continue;
      stage('verifying');
      const end = await settleStorageMigration(input);
      if (end === 'waiting_for_uploads' || end === 'waiting_for_removal') stage(end);
      else if (end !== null) return endWith(end as StorageMigrationOutcome);
      await sleep(CHECK_AGAIN_AFTER);
    }
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => stopStorageMigration(input));
      throw error;
    }
    if (!isUnreachable(error)) throw error;
    await failStorageMigration(input);
    return endWith('failed');
  }
  return continueAsNew<typeof storageMigration>(input);
}

function endWith(end: StorageMigrationOutcome): StorageMigrationOutcome {
  stage(end);
  return end;
}

/**
 * Reports whether a store was still unreachable after all retries. Returns false for errors that a retry cannot
 * resolve, such as a deleted row.
 */
const isUnreachable = (error: unknown): boolean =>
  error instanceof ActivityFailure && !(error.cause instanceof ApplicationFailure && error.cause.nonRetryable);
