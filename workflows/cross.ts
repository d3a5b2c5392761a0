import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/intake/crossings.js';
import { localActivityFirst } from './localActivityFirst.js';
import { provisionAccount } from './contracts/provisionAccount.js';
import { cross as entry, type CrossInput, type CrossOutcome } from './contracts/cross.js';
import { stagesOf } from './stage.js';
import { startChildProcess } from './startChildProcess.js';

const stage = stagesOf(entry);

type CarryResult = Awaited<ReturnType<typeof steps.carryAnswers>>;

const step = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});
const carryAnswers = localActivityFirst('carryAnswers', step);
const { welcomeMember } = step;

/**
 * Runs after a prospective member has become a member, with new status and access. Copies the intake answers to the
 * member's records, starts the provisioning of their account, and mails the invitation to a member who has not accepted
 * yet. Account provisioning has its own process, so that the invitation does not wait for the account provider.
 */
export async function cross(input: CrossInput): Promise<CrossOutcome> {
  stage('carrying');
  const { step: progress, recordId } = normalizeResult(await carryAnswers(input));
  if (progress === 'reverted') return end('reverted');
  if (recordId !== null) {
    stage('provisioning');
    await startChildProcess(provisionAccount, { organizationId: input.organizationId, recordId });
  }
  if (progress === 'welcomed') return end('crossed');
  stage('welcoming');
  return end((await welcomeMember(input)) === 'reverted' ? 'reverted' : 'crossed');
}

/**
 * Converts results of workflows that began with an earlier version of this code. In them the activity returned only the
 * step, as a string.
 */
const normalizeResult = (result: CarryResult | CarryResult['step']): CarryResult =>
  typeof result === 'string' ? { step: result, recordId: null } : result;

function end(outcome: CrossOutcome): CrossOutcome {
  stage(outcome);
  return outcome;
}
