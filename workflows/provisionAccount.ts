import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type * as steps from '../activities/intake/accounts.js';
import { atOnce } from './atOnce.js';
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
const prepareAccount = atOnce('prepareAccount', step);
const STEPS = { creating: step.createAccount, joining: step.joinGroups, switching: step.switchAccount };

const LONGEST_PAUSE_SECONDS = 300;

/** After each step the rows say what comes next; a failed step is retried later, without limit. */
export async function provisionAccount(input: ProvisionAccountInput): Promise<ProvisionAccountOutcome> {
  for (let tries = 0; !workflowInfo().continueAsNewSuggested; ) {
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
    tries = seconds === null ? 0 : tries + 1;
    if (seconds !== null) await sleep(`${seconds || Math.min(2 ** (tries - 1), LONGEST_PAUSE_SECONDS)} seconds`);
  }
  return continueAsNew<typeof provisionAccount>(input);
}
