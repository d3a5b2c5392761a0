import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/organizations/membershipChanges.js';
import { membershipChanges } from './contracts/membershipChanges.js';
import { membershipChangesEverywhere as entry } from './contracts/membershipChangesEverywhere.js';
import { stagesOf } from './stage.js';
import { startInEach } from './startInEach.js';

const stage = stagesOf(entry);

const { listOrganizationsWithChanges } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Starts the changes of every organization that has one due. Started by a Schedule. */
export async function membershipChangesEverywhere(after: string | null = null): Promise<'listed'> {
  stage('listing');
  const next = await startInEach(membershipChanges, listOrganizationsWithChanges, after);
  return next === null ? 'listed' : continueAsNew<typeof membershipChangesEverywhere>(next);
}
