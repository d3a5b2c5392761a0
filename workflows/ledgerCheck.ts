import { CancellationScope, condition, continueAsNew, isCancellation, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/ledgerChecks.js';
import {
  checkLedgersEverywhere as schedule,
  ledgerCheck as entry,
  type LedgerCheckInput,
  type LedgerCheckOutcome,
} from './contracts/ledgerCheck.js';
import { stagesOf } from './stage.js';
import { startChildProcess } from './startChildProcess.js';
import { LIST_OPTIONS } from './startInEach.js';

const stage = stagesOf(entry);

const { runLedgerCheck, stopLedgerCheck } = proxyActivities<typeof steps>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Checks the ledger in one step, because all rules must read the same snapshot. */
export async function ledgerCheck(input: LedgerCheckInput): Promise<LedgerCheckOutcome> {
  try {
    stage('checking');
    const end = await runLedgerCheck(input);
    stage(end);
    return end;
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => stopLedgerCheck(input));
      stage('cancelled');
    }
    throw error;
  }
}

const { startNextLedgerChecks } = proxyActivities<typeof steps>(LIST_OPTIONS);

/** Number of batches until the workflow continues as new, so that the history of a run stays short. */
const BATCHES_PER_RUN = 50;

/** Time after which the next batch starts although a check of this one still runs, so that it delays no other organization. */
const MAX_WAIT = '10 minutes';

/**
 * Checks the ledger of every active organization, batch by batch: the next batch starts when the checks of this one have
 * ended, so that only a few run at a time. Started by a Schedule.
 */
export async function checkLedgersEverywhere(after: string | null = null): Promise<'checked'> {
  stagesOf(schedule)('checking');
  let cursor = after;
  for (let batches = 0; batches < BATCHES_PER_RUN; batches += 1) {
    const { checks, next } = await startNextLedgerChecks(cursor);
    await runChecks(checks);
    if (next === null) return 'checked';
    cursor = next;
  }
  return continueAsNew<typeof checkLedgersEverywhere>(cursor);
}

/** Starts the checks and waits until they have ended, however they end. */
async function runChecks(checks: readonly LedgerCheckInput[]): Promise<void> {
  const started = await Promise.all(checks.map((input) => startChildProcess(entry, input)));
  let haveEnded = false;
  const results = started.filter((child) => child !== null).map((child) => child.result());
  void Promise.allSettled(results).then(() => (haveEnded = true));
  await condition(() => haveEnded, MAX_WAIT);
}
