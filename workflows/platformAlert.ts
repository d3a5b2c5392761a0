import { CancellationScope, continueAsNew, isCancellation, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type * as steps from '../activities/platform/alerts.js';
import {
  platformAlert as entry,
  type PlatformAlertInput,
  type PlatformAlertOutcome,
} from './contracts/platformAlert.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { tellNext, cancelAlert } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Notifies every organization of an alert, batch by batch. */
export async function platformAlert(input: PlatformAlertInput): Promise<PlatformAlertOutcome> {
  stage('telling');
  try {
    for (let status: Awaited<ReturnType<typeof tellNext>> = 'running'; status === 'running'; ) {
      status = await tellNext(input);
      if (status === 'cancelled' || status === 'stopped_right_lost') {
        stage(status);
        return status;
      }
      if (status === 'running' && workflowInfo().continueAsNewSuggested)
        await continueAsNew<typeof platformAlert>(input);
    }
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => cancelAlert(input));
    throw error;
  }
  stage('told');
  return 'told';
}
