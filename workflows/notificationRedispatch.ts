import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/notifications/deliver.js';
import { notificationDelivery } from './contracts/notificationDelivery.js';
import { notificationRedispatch as entry } from './contracts/notificationRedispatch.js';
import { stagesOf } from './stage.js';
import { startChildProcess } from './startChildProcess.js';

const stage = stagesOf(entry);

const { listDueDeliveries } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Starts a delivery for each channel with due notifications. A delivery that already runs picks them up by itself.
 * Started by a Schedule.
 */
export async function notificationRedispatch(): Promise<'listed'> {
  stage('listing');
  const due = await listDueDeliveries();
  await Promise.all(due.map((input) => startChildProcess(notificationDelivery, input)));
  return 'listed';
}
