import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/processIncidents.js';
import { checkProcessIncidents as entry } from './contracts/checkProcessIncidents.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { reviewIncidents, findAgedProcesses, findLostProcesses, notifyOfStuckPayments } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Compares the list of stuck processes with Temporal and with pending rows. Started by a Schedule. */
export async function checkProcessIncidents(): Promise<'compared'> {
  stage('comparing');
  await forEachBatch(reviewIncidents);
  await findAgedProcesses();
  await forEachBatch(findLostProcesses);
  await notifyOfStuckPayments();
  return 'compared';
}

/** Runs a step until it returns no cursor. A batch has at least 500 rows, so the history stays short. */
async function forEachBatch(step: (after: string | null) => Promise<string | null>): Promise<void> {
  let cursor = await step(null);
  while (cursor !== null) cursor = await step(cursor);
}
