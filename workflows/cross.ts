import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/intake/crossings.js';
import { atOnce } from './atOnce.js';
import { provisionAccount } from './contracts/provisionAccount.js';
import { cross as entry, type CrossInput, type CrossOutcome } from './contracts/cross.js';
import { stagesOf } from './stage.js';
import { startChildProcess } from './startChildProcess.js';

const stage = stagesOf(entry);

type Carried = Awaited<ReturnType<typeof steps.carryAnswers>>;

const step = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});
const carryAnswers = atOnce('carryAnswers', step);
const { welcomeMember } = step;

/**
 * Copies the intake answers of a crossed member to their records, starts their account, and welcomes a member who has
 * not accepted yet. Status and access came with the crossing itself. The account is its own process, so that the
 * welcome does not wait for a provider.
 */
export async function cross(input: CrossInput): Promise<CrossOutcome> {
  stage('carrying');
  const { step: carried, recordId } = toldBy(await carryAnswers(input));
  if (carried === 'reverted') return end('reverted');
  if (recordId !== null) {
    stage('provisioning');
    await startChildProcess(provisionAccount, { organizationId: input.organizationId, recordId });
  }
  if (carried === 'welcomed') return end('crossed');
  stage('welcoming');
  return end((await welcomeMember(input)) === 'reverted' ? 'reverted' : 'crossed');
}

/** Earlier histories returned the step alone. */
const toldBy = (carried: Carried | Carried['step']): Carried =>
  typeof carried === 'string' ? { step: carried, recordId: null } : carried;

function end(outcome: CrossOutcome): CrossOutcome {
  stage(outcome);
  return outcome;
}
