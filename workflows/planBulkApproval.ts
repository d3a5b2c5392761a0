import { CancellationScope, isCancellation, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/planBulkApproval.js';
import {
  planBulkApproval as entry,
  type PlanBulkApprovalInput,
  type PlanBulkApprovalOutcome,
} from './contracts/planBulkApproval.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { grantPlans, stopPlanBulkApproval } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Grants requests until all are granted or skipped. A running step reads between two requests whether its row was
 * cancelled.
 */
export async function planBulkApproval(input: PlanBulkApprovalInput): Promise<PlanBulkApprovalOutcome> {
  try {
    stage('approving');
    for (;;) {
      const status = await grantPlans(input);
      if (status === 'approving') continue;
      stage(status);
      return status;
    }
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => stopPlanBulkApproval(input));
      stage('cancelled');
    }
    throw error;
  }
}
