import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type * as steps from '../activities/notifications/pushPrune.js';
import { pushPrune as entry } from './contracts/pushPrune.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { pruneNextBatch } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Deletes expired records, one batch at a time. Started by a Schedule. */
export async function pushPrune(): Promise<'pruned'> {
  stage('pruning');
  while (await pruneNextBatch()) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof pushPrune>();
  }
  return 'pruned';
}
