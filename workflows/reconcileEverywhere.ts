import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/reconciliation.js';
import { reconcileEverywhere as entry } from './contracts/reconcileEverywhere.js';
import { reconciliation } from './contracts/reconciliation.js';
import { stagesOf } from './stage.js';
import { startInEach } from './startInEach.js';

const stage = stagesOf(entry);

const { listProcessorsToReconcile } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Starts the comparison of every payment provider account. Started by a Schedule. */
export async function reconcileEverywhere(after: string | null = null): Promise<'listed'> {
  stage('listing');
  const next = await startInEach(reconciliation, listProcessorsToReconcile, after);
  return next === null ? 'listed' : continueAsNew<typeof reconcileEverywhere>(next);
}
