import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/foundation/campaigns.js';
import { closeEndedCampaigns as entry } from './contracts/closeEndedCampaigns.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const BATCHES_PER_RUN = 100;

const { closeNextCampaigns } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Closes the campaigns whose last day is past, one batch of organizations at a time. Started by a Schedule. */
export async function closeEndedCampaigns(after: string | null = null): Promise<'closed'> {
  stage('closing');
  let cursor = after;
  for (let batches = 0; batches < BATCHES_PER_RUN; batches += 1) {
    cursor = await closeNextCampaigns(cursor);
    if (cursor === null) return 'closed';
  }
  return continueAsNew<typeof closeEndedCampaigns>(cursor);
}
