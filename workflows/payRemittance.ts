import { CancellationScope, isCancellation, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/payRemittance.js';
import { localActivityFirst } from './localActivityFirst.js';
import {
  payRemittance as entry,
  type PayRemittanceInput,
  type PayRemittanceOutcome,
} from './contracts/payRemittance.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

// The attempts are unlimited: an unknown outcome is retried until it is known.
const step = proxyActivities<typeof steps>({
  startToCloseTimeout: '45 seconds',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});
const { openCharge, confirmCharge, abandonCharge } = step;
const settleCharge = localActivityFirst('settleCharge', step);

/**
 * Charges a remittance once. If money is captured, it is credited to the members or flagged for an administrator;
 * otherwise nothing changes.
 */
export async function payRemittance(input: PayRemittanceInput): Promise<PayRemittanceOutcome> {
  const outcome = await charge(input);
  stage(outcome);
  return outcome;
}

async function charge(input: PayRemittanceInput): Promise<PayRemittanceOutcome> {
  stage('opening');
  try {
    const opened = await openCharge(input);
    if (opened !== 'opened') return opened;
  } catch (error) {
    // The process was cancelled before the charge was confirmed: release the invoices and leave a draft.
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => abandonCharge(input, 'cancelled'));
    throw error;
  }

  // Money may move from here on. A cancellation has no effect any more; the process ends only when the outcome is
  // known.
  return CancellationScope.nonCancellable(async () => {
    stage('charging');
    let charged = await confirmCharge(input);
    if (charged === 'not_captured') {
      stage('abandoning');
      charged = await abandonCharge(input);
    }
    if (charged !== 'captured') return charged;
    stage('settling');
    return settleCharge(input);
  });
}
