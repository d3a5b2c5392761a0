import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type * as steps from '../activities/organizations/publishBulletin.js';
import {
  publishBulletin as entry,
  type PublishBulletinInput,
  type PublishBulletinOutcome,
} from './contracts/publishBulletin.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { withdrawBulletin, untilBulletinIsDue, tellBulletin } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

const changed = defineSignal('changed');

/**
 * Withdraws outdated notifications, waits until an edition is due, and notifies its audience once. The row says when
 * the edition is due, and whether it is to be announced at all.
 */
export async function publishBulletin(input: PublishBulletinInput): Promise<PublishBulletinOutcome> {
  let isSignalled = false;
  setHandler(changed, () => {
    isSignalled = true;
  });
  stage('withdrawing');
  while (await withdrawBulletin(input));
  for (;;) {
    isSignalled = false;
    stage('waiting');
    const seconds = await untilBulletinIsDue(input);
    if (seconds > 0) {
      await condition(() => isSignalled, `${seconds} seconds`);
      continue;
    }
    stage('telling');
    const outcome = await tellBulletin(input);
    if (outcome === 'later') continue;
    stage(outcome);
    return outcome;
  }
}
