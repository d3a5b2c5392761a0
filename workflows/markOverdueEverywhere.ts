import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/overdue.js';
import { markOverdue } from './contracts/markOverdue.js';
import { markOverdueEverywhere as entry } from './contracts/markOverdueEverywhere.js';
import { stagesOf } from './stage.js';
import { startInEach } from './startInEach.js';

const stage = stagesOf(entry);

const { listOrganizationsToMark } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Starts overdue marking for every organization that has something to mark by its own date. Started by a Schedule.
 */
export async function markOverdueEverywhere(after: string | null = null): Promise<'listed'> {
  stage('listing');
  const next = await startInEach(markOverdue, listOrganizationsToMark, after);
  return next === null ? 'listed' : continueAsNew<typeof markOverdueEverywhere>(next);
}
