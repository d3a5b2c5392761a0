import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type * as steps from '../activities/notifications/deliver.js';
import { notificationDelivery as entry, type NotificationDeliveryInput } from './contracts/notificationDelivery.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const due = defineSignal('due');

const { deliverNextPage } = proxyActivities<typeof steps>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/**
 * Delivers due notifications, batch after batch. A signal means that more may be due. If it arrives when the process is
 * about to end, the process continues.
 */
export async function notificationDelivery(input: NotificationDeliveryInput): Promise<'delivered'> {
  let isSignalled = false;
  setHandler(due, () => {
    isSignalled = true;
  });
  stage('delivering');
  for (;;) {
    isSignalled = false;
    const seconds = await deliverNextPage(input);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof notificationDelivery>(input);
    if (isSignalled || seconds === 0) continue;
    if (seconds === null) break;
    stage('waiting');
    await condition(() => isSignalled, `${seconds} seconds`);
    stage('delivering');
  }
  stage('delivered');
  return 'delivered';
}
