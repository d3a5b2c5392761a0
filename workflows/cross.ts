import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/intake/crossings.js';
import { cross as entry, type CrossInput, type CrossOutcome } from './contracts/cross.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { carryAnswers, welcomeMember } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Carries the answers of whoever crossed to their records, then welcomes them. Status and access came with the crossing itself. */
export async function cross(input: CrossInput): Promise<CrossOutcome> {
  stage('carrying');
  if ((await carryAnswers(input)) === 'reverted') return end('reverted');
  stage('welcoming');
  return end((await welcomeMember(input)) === 'reverted' ? 'reverted' : 'crossed');
}

function end(outcome: CrossOutcome): CrossOutcome {
  stage(outcome);
  return outcome;
}
