import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type * as steps from '../activities/organizations/removeFiles.js';
import { removeFiles as entry } from './contracts/removeFiles.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { removeNextFiles } = proxyActivities<typeof steps>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** Deletes discarded files from their storage, and abandoned rows, one batch at a time. Started by a Schedule. */
export async function removeFiles(): Promise<'removed'> {
  stage('removing');
  while (await removeNextFiles()) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof removeFiles>();
  }
  return 'removed';
}
