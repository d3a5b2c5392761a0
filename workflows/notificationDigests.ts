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

/** Wakes the process, because something that waited is due earlier. */
const due = defineSignal('due');

/** Creates one organization's digests of a day, then mails what is due until nothing waits. */
export async function notificationDigests(input: NotificationDigestsInput): Promise<'mailed'> {
  let asked = false;
  setHandler(due, () => {
    asked = true;
  });
  stage('making');
  for (let after: string | null = null; ; ) {
    after = await makeNextDigests({ ...input, after });
    if (after === null) break;
  }
  stage('mailing');
  for (;;) {
    asked = false;
    const seconds = await mailNextDigests(input);
    // Created digests stay; the continued run starts with nothing to create.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof notificationDigests>(input);
    if (asked || seconds === 0) continue;
    if (seconds === null) break;
    stage('waiting');
    await condition(() => asked, `${seconds} seconds`);
    stage('mailing');
  }
  stage('mailed');
  return 'mailed';
}
