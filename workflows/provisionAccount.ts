import { continueAsNew, defineSignal, proxyActivities, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import type * as steps from '../activities/intake/accounts.js';
import { localActivityFirst } from './localActivityFirst.js';
import {
  CHANGED_SIGNAL,
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

const changed = defineSignal(CHANGED_SIGNAL);

/**
 * Provisions an account step by step. After each step the rows say which step is next. A failed step is retried with
 * backoff, without limit.
 */
export async function provisionAccount(input: ProvisionAccountInput): Promise<ProvisionAccountOutcome> {
  let isChanged = false;
  setHandler(changed, () => {
    isChanged = true;
  });
  for (let failures = 0; !workflowInfo().continueAsNewSuggested; ) {
    isChanged = false;
    const next = await prepareAccount(input);
    if ('end' in next) {
      // The record may have changed after the step read it. In that case continue: the change only signalled this run,
      // because it was still open, and started no new one.
      if (isChanged) continue;
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
