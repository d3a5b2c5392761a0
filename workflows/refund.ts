import { continueAsNew, proxyActivities, sleep } from '@temporalio/workflow';
import type * as steps from '../activities/finances/refund.js';
import { refund as entry, type RefundInput, type RefundOutcome } from './contracts/refund.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

// The attempts are unlimited: an unknown outcome is retried until it is known.
const { sendRefund } = proxyActivities<typeof steps>({
  startToCloseTimeout: '45 seconds',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Number of checks until the workflow continues as new, so that the history of a run stays short however long the bank
 * takes.
 */
const CHECKS_PER_RUN = 100;

/** Refunds money once, and ends with the provider's outcome. */
export async function refund(input: RefundInput): Promise<RefundOutcome> {
  stage('sending');
  for (let checks = 0; checks < CHECKS_PER_RUN; checks += 1) {
    const outcome = await sendRefund(input);
    if (outcome !== 'pending') {
      stage(outcome);
      return outcome;
    }
    await sleep('1 hour');
  }
  return continueAsNew<typeof refund>(input);
}
