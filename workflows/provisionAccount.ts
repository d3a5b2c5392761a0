import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type * as steps from '../activities/intake/accounts.js';
import { localActivityFirst } from './localActivityFirst.js';
import {
  provisionAccount as entry,
  type ProvisionAccountInput,
  type ProvisionAccountOutcome,
} from './contracts/provisionAccount.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const step = proxyActivities<typeof steps>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});
const prepareAccount = localActivityFirst('prepareAccount', step);
const STEPS = { creating: step.createAccount, joining: step.joinGroups, switching: step.switchAccount };

const MAX_BACKOFF_SECONDS = 300;

/**
 * Provisions an account step by step. After each step the rows say which step is next. A failed step is retried with
 * backoff, without limit.
 */
export async function provisionAccount(input: ProvisionAccountInput): Promise<ProvisionAccountOutcome> {
  for (let failures = 0; !workflowInfo().continueAsNewSuggested; ) {
    const next = await prepareAccount(input);
    if ('end' in next) {
      stage(next.end);
      return next.end;
    }
    if (next.step === 'waiting') {
      stage('waiting_for_provider');
      await sleep(`${next.seconds} seconds`);
      continue;
    }
    stage(next.step);
    const seconds = await STEPS[next.step](input);
    failures = seconds === null ? 0 : failures + 1;
    if (seconds !== null) await sleep(`${seconds || Math.min(2 ** (failures - 1), MAX_BACKOFF_SECONDS)} seconds`);
  }
  return continueAsNew<typeof provisionAccount>(input);
}
