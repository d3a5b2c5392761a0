import {
  ActivityCancellationType,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type * as steps from '../activities/foundation/sendBulletin.js';
import {
  type FoundationBulletinInput,
  type FoundationBulletinOutcome,
  foundationBulletin as entry,
} from './contracts/foundationBulletin.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { mailNextRecipients, stopBulletinMails } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
  // Wait for mails that are being sent, so that their outcomes are recorded.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

const changed = defineSignal('changed');

/**
 * Waits until a bulletin is due, and mails it. The rows of the recipients say who is to be mailed next; the process keeps
 * no cursor, so no recipient is mailed twice when a step runs again.
 */
export async function foundationBulletin(input: FoundationBulletinInput): Promise<FoundationBulletinOutcome> {
  let isSignalled = false;
  setHandler(changed, () => {
    isSignalled = true;
  });
  try {
    stage('sending');
    for (;;) {
      isSignalled = false;
      const step = await mailNextRecipients(input);
      if ('over' in step) {
        stage(step.over);
        return step.over;
      }
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof foundationBulletin>(input);
      if (step.seconds === 0) continue;
      stage('waiting');
      await condition(() => isSignalled, `${step.seconds} seconds`);
      stage('sending');
    }
  } catch (error) {
    // After a cancellation, the step may still fail with another error. So check whether the scope was cancelled, not
    // which error was thrown.
    if (!CancellationScope.current().consideredCancelled) throw error;
    await CancellationScope.nonCancellable(() => stopBulletinMails(input));
    stage('stopped');
    throw new CancelledFailure('The bulletin was stopped.');
  }
}
