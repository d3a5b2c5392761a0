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
 * Delivers what is due, batch after batch. A signal says that there is more; one that arrives at the end keeps the
 * process alive.
 */
export async function notificationDelivery(input: NotificationDeliveryInput): Promise<'delivered'> {
  let asked = false;
  setHandler(due, () => {
    asked = true;
  });
  stage('delivering');
  for (;;) {
    asked = false;
    const seconds = await deliverNextPage(input);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof notificationDelivery>(input);
    if (asked || seconds === 0) continue;
    if (seconds === null) break;
    stage('waiting');
    await condition(() => asked, `${seconds} seconds`);
    stage('delivering');
  }
  stage('delivered');
  return 'delivered';
}
