import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type * as steps from '../activities/notifications/digests.js';
import { notificationDigests as entry, type NotificationDigestsInput } from './contracts/notificationDigests.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { makeNextDigests, mailNextDigests } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** Wakes the process because a pending digest is due earlier. */
const due = defineSignal('due');

/** Creates one organization's digests of a day, then mails due digests until none is pending. */
export async function notificationDigests(input: NotificationDigestsInput): Promise<'mailed'> {
  let isSignalled = false;
  setHandler(due, () => {
    isSignalled = true;
  });
  stage('making');
  for (let after: string | null = null; ; ) {
    after = await makeNextDigests({ ...input, after });
    if (after === null) break;
  }
  stage('mailing');
  for (;;) {
    isSignalled = false;
    const seconds = await mailNextDigests(input);
    // Created digests stay; the continued run starts with nothing to create.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof notificationDigests>(input);
    if (isSignalled || seconds === 0) continue;
    if (seconds === null) break;
    stage('waiting');
    await condition(() => isSignalled, `${seconds} seconds`);
    stage('mailing');
  }
  stage('mailed');
  return 'mailed';
}
