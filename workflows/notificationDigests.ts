import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type * as steps from '../activities/notifications/digests.js';
import {
  notificationDigests as entry,
  notificationDigestsEverywhere as schedule,
  type NotificationDigestsInput,
} from './contracts/notificationDigests.js';
import { stagesOf } from './stage.js';
import { LIST_OPTIONS } from './startInEach.js';
import { startChildProcess } from './startChildProcess.js';

const stage = stagesOf(entry);

const { makeNextDigests, mailNextDigests } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** Signal that wakes the process, because a pending digest is due earlier. */
const due = defineSignal('due');

/** Creates one organization's digests of a day, then mails due digests until none is pending. */
export async function notificationDigests(input: NotificationDigestsInput): Promise<'mailed'> {
  let isSignalled = false;
  setHandler(due, () => {
    isSignalled = true;
  });
  stage('making');
  for (let after: string | null = null; ; ) {
    after = await makeNextDigests({ ...input, after });
    if (after === null) break;
  }
  stage('mailing');
  for (;;) {
    isSignalled = false;
    const seconds = await mailNextDigests(input);
    // The digests are already created and stay in the database, so the next run of this workflow finds none to create.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof notificationDigests>(input);
    if (isSignalled || seconds === 0) continue;
    if (seconds === null) break;
    stage('waiting');
    await condition(() => isSignalled, `${seconds} seconds`);
    stage('mailing');
  }
  stage('mailed');
  return 'mailed';
}

const START_CONCURRENCY = 100;
const HOUR_MS = 3_600_000;

const { listOrganizationsToDigest } = proxyActivities<typeof steps>(LIST_OPTIONS);

/**
 * Starts the digests of the latest day for which it is past 07:00 UTC, when the digests' periods end. Started by a
 * Schedule.
 */
export async function notificationDigestsEverywhere(): Promise<'listed'> {
  stagesOf(schedule)('listing');
  const day = new Date(Date.now() - 7 * HOUR_MS).toISOString().slice(0, 10);
  const organizations = await listOrganizationsToDigest(day);
  for (let next = 0; next < organizations.length; next += START_CONCURRENCY)
    await Promise.all(
      organizations
        .slice(next, next + START_CONCURRENCY)
        .map((organizationId) => startChildProcess(entry, { organizationId, day })),
    );
  return 'listed';
}
