import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type * as steps from '../activities/finances/overdue.js';
import { sendOverdueNotices as entry, type SendOverdueNoticesInput } from './contracts/sendOverdueNotices.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { mailNextNotices, closeUncertainNotices } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '15 minutes' },
});

/** Mails overdue notices, each at most once. A claim that a crash left without an outcome is recorded as unknown. */
export async function sendOverdueNotices(input: SendOverdueNoticesInput): Promise<'mailed'> {
  stage('mailing');
  while (await mailNextNotices(input)) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof sendOverdueNotices>(input);
  }
  stage('closing');
  for (let seconds; (seconds = await closeUncertainNotices(input)) > 0; ) await sleep(`${seconds} seconds`);
  stage('mailed');
  return 'mailed';
}
