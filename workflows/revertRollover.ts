import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/organizations/rollovers.js';
import { revertRollover as entry, type RevertRolloverOutcome } from './contracts/revertRollover.js';
import type { RolloverInput } from './contracts/rollOver.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

/** Number of batches until the workflow continues as new, so that the history of a run stays short. */
const BATCHES_PER_RUN = 100;

const { returnMembers, finishRevert } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Reverts a rollover, one batch of members at a time. */
export async function revertRollover(input: RolloverInput): Promise<RevertRolloverOutcome> {
  stage('returning');
  for (let batches = 0; await returnMembers(input); ) {
    batches += 1;
    if (batches >= BATCHES_PER_RUN) await continueAsNew<typeof revertRollover>(input);
  }
  stage('finishing');
  if ((await finishRevert(input)) === 'revert_stopped_right_lost') {
    stage('stopped_right_lost');
    return 'stopped_right_lost';
  }
  stage('reverted');
  return 'reverted';
}
