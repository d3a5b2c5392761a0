import { CancellationScope, isCancellation, proxyActivities, sleep } from '@temporalio/workflow';
import type * as steps from '../activities/organizations/rosterExports.js';
import { exportRoster as entry, type ExportRosterInput, type ExportRosterOutcome } from './contracts/exportRoster.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const ASKED_TO_END_WITHIN = '1 minute';

// The sweep treats files that are incomplete after an hour as discarded.
const { writeRoster } = proxyActivities<typeof steps>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

const { cancelRosterExport } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Writes a roster as one object; a failed try starts again. A running batch learns from its row that the export was
 * ended.
 */
export async function exportRoster(input: ExportRosterInput): Promise<ExportRosterOutcome> {
  try {
    stage('writing');
    const status = await writeRoster(input);
    // The row is cancelled before the process; without a cancellation of the process there is nothing left to do
    // either.
    if (status === 'cancelled') await sleep(ASKED_TO_END_WITHIN);
    const end = status === 'running' ? 'cancelled' : status;
    stage(end);
    return end;
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => cancelRosterExport(input));
      stage('cancelled');
    }
    throw error;
  }
}
