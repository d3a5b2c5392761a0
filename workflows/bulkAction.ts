import { CancellationScope, CancelledFailure, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/processes/bulkAction.js';
import { bulkAction as entry, type BulkActionInput, type BulkActionOutcome } from './contracts/bulkAction.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { actOnNextTargets, stopBulkAction } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Retries or cancels processes until each has an outcome. A page that has begun runs to its end, so that its outcomes
 * are recorded.
 */
export async function bulkAction(input: BulkActionInput): Promise<BulkActionOutcome> {
  stage('acting');
  for (;;) {
    if (CancellationScope.current().consideredCancelled) {
      await CancellationScope.nonCancellable(() => stopBulkAction(input));
      stage('stopped');
      throw new CancelledFailure('The bulk action was cancelled.');
    }
    const status = await CancellationScope.nonCancellable(() => actOnNextTargets(input));
    if (status === 'running') continue;
    stage(status);
    return status;
  }
}
