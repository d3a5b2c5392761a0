import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/intake/crossings.js';
import { atOnce } from './atOnce.js';
import { cross as entry, type CrossInput, type CrossOutcome } from './contracts/cross.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const step = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});
const carryAnswers = atOnce('carryAnswers', step);
const { welcomeMember } = step;

/** Carries the answers of whoever crossed to their records, then welcomes who has no account yet. Status and access came with the crossing itself. */
export async function cross(input: CrossInput): Promise<CrossOutcome> {
  stage('carrying');
  const carried = await carryAnswers(input);
  if (carried === 'reverted') return end('reverted');
  if (carried === 'welcomed') return end('crossed');
  stage('welcoming');
  return end((await welcomeMember(input)) === 'reverted' ? 'reverted' : 'crossed');
}

function end(outcome: CrossOutcome): CrossOutcome {
  stage(outcome);
  return outcome;
}
