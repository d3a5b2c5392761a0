import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/organizations/membershipChanges.js';
import { membershipChanges } from './contracts/membershipChanges.js';
import { membershipChangesEverywhere as entry } from './contracts/membershipChangesEverywhere.js';
import { stagesOf } from './stage.js';
import { startChildProcess } from './startChildProcess.js';

const stage = stagesOf(entry);

const PAGES_PER_RUN = 20;

const { listOrganizationsWithChanges } = proxyActivities<typeof steps>({
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Starts the changes of every organization in which the day of one has come. Started by a Schedule. */
export async function membershipChangesEverywhere(after: string | null = null): Promise<'listed'> {
  stage('listing');
  let cursor = after;
  for (let pages = 0; pages < PAGES_PER_RUN; pages += 1) {
    const { organizations, next } = await listOrganizationsWithChanges(cursor);
    await Promise.all(organizations.map((input) => startChildProcess(membershipChanges, input)));
    if (next === null) return 'listed';
    cursor = next;
  }
  return continueAsNew<typeof membershipChangesEverywhere>(cursor);
}
