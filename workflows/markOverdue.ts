import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type * as steps from '../activities/finances/overdue.js';
import {
  markOverdue as entry,
  markOverdueEverywhere as schedule,
  type MarkOverdueInput,
} from './contracts/markOverdue.js';
import { stagesOf } from './stage.js';
import { LIST_OPTIONS, startInEach } from './startInEach.js';

const stage = stagesOf(entry);

const { markNextOverduePage } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Marks one organization's past-due invoices, one batch at a time; each batch notifies the payers in its transaction.
 */
export async function markOverdue(input: MarkOverdueInput): Promise<'marked'> {
  stage('marking');
  while ((await markNextOverduePage(input)) > 0) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof markOverdue>(input);
  }
  stage('marked');
  return 'marked';
}

const { listOrganizationsToMark } = proxyActivities<typeof steps>(LIST_OPTIONS);

/**
 * Starts overdue marking for every organization that has something to mark by its own date. Started by a Schedule.
 */
export const markOverdueEverywhere = (after: string | null = null): Promise<'listed'> =>
  startInEach(schedule, entry, listOrganizationsToMark, after);
