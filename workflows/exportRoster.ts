import { CancellationScope, isCancellation, proxyActivities, sleep } from '@temporalio/workflow';
import type * as steps from '../activities/organizations/rosterExports.js';
import { exportRoster as entry, type ExportRosterInput, type ExportRosterOutcome } from './contracts/exportRoster.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const CANCELLATION_TIMEOUT = '1 minute';

// The time limit must be below one hour, because the cleanup schedule deletes files that are incomplete after an hour.
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
 * Writes a roster as one object. A failed attempt is repeated from the beginning. A running export reads between
 * batches whether its row was cancelled.
 */
export async function exportRoster(input: ExportRosterInput): Promise<ExportRosterOutcome> {
  try {
    stage('writing');
    const status = await writeRoster(input);
    // A cancellation changes the row first and reaches the process a moment later. Wait for it here; if it does not
    // come in time, the process ends by itself.
    if (status === 'cancelled') await sleep(CANCELLATION_TIMEOUT);
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
