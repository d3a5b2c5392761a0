import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/notifications/digests.js';
import { notificationDigests } from './contracts/notificationDigests.js';
import { notificationDigestsEverywhere as entry } from './contracts/notificationDigestsEverywhere.js';
import { stagesOf } from './stage.js';
import { startChildProcess } from './startChildProcess.js';

const stage = stagesOf(entry);

const { listOrganizationsToDigest } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const START_CONCURRENCY = 100;
const HOUR_MS = 3_600_000;

/** Starts the digests of the latest day whose periods have ended, at 07:00 UTC. Started by a Schedule. */
export async function notificationDigestsEverywhere(): Promise<'listed'> {
  stage('listing');
  const day = new Date(Date.now() - 7 * HOUR_MS).toISOString().slice(0, 10);
  const organizations = await listOrganizationsToDigest(day);
  for (let next = 0; next < organizations.length; next += START_CONCURRENCY)
    await Promise.all(
      organizations
        .slice(next, next + START_CONCURRENCY)
        .map((organizationId) => startChildProcess(notificationDigests, { organizationId, day })),
    );
  return 'listed';
}
