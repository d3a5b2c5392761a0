import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type * as steps from '../activities/organizations/membershipChanges.js';
import {
  membershipChanges as entry,
  membershipChangesEverywhere as schedule,
  type MembershipChangesInput,
} from './contracts/membershipChanges.js';
import { stagesOf } from './stage.js';
import { LIST_OPTIONS, startInEach } from './startInEach.js';

const stage = stagesOf(entry);

const { applyDueChanges } = proxyActivities<typeof steps>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Applies one organization's scheduled changes that are due, each once. */
export async function membershipChanges(input: MembershipChangesInput): Promise<'applied'> {
  stage('applying');
  while (await applyDueChanges(input)) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof membershipChanges>(input);
  }
  stage('applied');
  return 'applied';
}

const { listOrganizationsWithChanges } = proxyActivities<typeof steps>(LIST_OPTIONS);

/** Starts membership changes for every organization that has due changes. Started by a Schedule. */
export const membershipChangesEverywhere = (after: string | null = null): Promise<'listed'> =>
  startInEach(schedule, entry, listOrganizationsWithChanges, after);
