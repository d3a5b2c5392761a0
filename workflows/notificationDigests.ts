import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type * as steps from '../activities/notifications/digests.js';
import { notificationDigests as entry, type NotificationDigestsInput } from './contracts/notificationDigests.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { makeNextDigests, mailNextDigests } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** Makes one organization's digests of a day, then mails what is due until nothing waits. */
export async function notificationDigests(input: NotificationDigestsInput): Promise<'mailed'> {
  stage('making');
  for (let after: string | null = null; ; ) {
    after = await makeNextDigests({ ...input, after });
    if (after === null) break;
  }
  stage('mailing');
  for (;;) {
    const seconds = await mailNextDigests(input);
    if (seconds === null) break;
    // What is made is made: it begins anew with nothing to make.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof notificationDigests>(input);
    if (seconds === 0) continue;
    stage('waiting');
    await sleep(`${seconds} seconds`);
    stage('mailing');
  }
  stage('mailed');
  return 'mailed';
}
