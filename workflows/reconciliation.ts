import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type * as steps from '../activities/finances/reconciliation.js';
import {
  reconcileEverywhere as schedule,
  reconciliation as entry,
  type ReconciliationInput,
} from './contracts/reconciliation.js';
import { stagesOf } from './stage.js';
import { LIST_OPTIONS, startInEach } from './startInEach.js';

const stage = stagesOf(entry);

const { listNextMovements, compareNextCharges } = proxyActivities<typeof steps>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/**
 * Compares an account with the books: lists the movements of a fixed period, then reads each differing charge from the
 * provider.
 */
export async function reconciliation(input: ReconciliationInput): Promise<'compared' | 'refused'> {
  for (const [name, step] of [
    ['listing', listNextMovements],
    ['comparing', compareNextCharges],
  ] as const) {
    stage(name);
    for (let progress = await step(input); progress !== 'done'; progress = await step(input)) {
      if (progress === 'refused') return 'refused';
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof reconciliation>(input);
    }
  }
  stage('compared');
  return 'compared';
}

const { listProcessorsToReconcile } = proxyActivities<typeof steps>(LIST_OPTIONS);

/** Starts the comparison of every payment provider account with the books. Started by a Schedule. */
export const reconcileEverywhere = (after: string | null = null): Promise<'listed'> =>
  startInEach(schedule, entry, listProcessorsToReconcile, after);
