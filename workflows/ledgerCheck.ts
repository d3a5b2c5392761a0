import { CancellationScope, isCancellation, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/ledgerChecks.js';
import { ledgerCheck as entry, type LedgerCheckInput, type LedgerCheckOutcome } from './contracts/ledgerCheck.js';
import { stagesOf } from './stage.js';

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
