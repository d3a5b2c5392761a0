import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/recoverProcesses.js';
import { recoverProcesses as entry } from './contracts/recoverProcesses.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const BATCHES_PER_RUN = 100;

const { recoverNextPage } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Reads all pending rows in batches, and starts their processes if they do not run. Started by a Schedule. */
export async function recoverProcesses(after: string | null = null): Promise<'recovered'> {
  stage('recovering');
  let cursor = after;
  for (let batches = 0; batches < BATCHES_PER_RUN; batches += 1) {
    cursor = await recoverNextPage(cursor);
    if (cursor === null) return 'recovered';
  }
  return continueAsNew<typeof recoverProcesses>(cursor);
}
