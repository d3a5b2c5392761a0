import {
  ActivityCancellationType,
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type * as steps from '../activities/notifications/fanOut.js';
import {
  notificationFanout as entry,
  type NotificationFanoutInput,
  type NotificationFanoutOutcome,
} from './contracts/notificationFanout.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const CANCELLATION_TIMEOUT = '1 minute';

const { fanOutNext, withdrawNext } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  // On cancellation, wait until the running batch has completed; its notifications are then withdrawn.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** Notifies an audience batch by batch. Cancelling withdraws unsent notifications. */
export async function notificationFanout(input: NotificationFanoutInput): Promise<NotificationFanoutOutcome> {
  try {
    return await notifyAudience(input);
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => withdraw(input));
    throw error;
  }
}

async function notifyAudience(input: NotificationFanoutInput): Promise<NotificationFanoutOutcome> {
  stage('telling');
  for (;;) {
    const status = await fanOutNext(input);
    if (status === 'done') {
      stage('told');
      return 'told';
    }
    if (status === 'cancelled') {
      await CancellationScope.nonCancellable(() => withdraw(input));
      // A cancellation changes the row first and reaches the process a moment later. Wait for it here, because it could
      // not arrive if the process ended now.
      await sleep(CANCELLATION_TIMEOUT);
      return 'cancelled';
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof notificationFanout>(input);
  }
}

async function withdraw(input: NotificationFanoutInput): Promise<void> {
  stage('withdrawing');
  while (await withdrawNext(input));
  stage('cancelled');
}
