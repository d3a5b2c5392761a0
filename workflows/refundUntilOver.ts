/** Refunds a captured payment until the outcome is known, for the processes of unmatched payments and of gifts. */
import { continueAsNew, proxyActivities, sleep } from '@temporalio/workflow';
import type * as steps from '../activities/finances/refundUnmatchedPayment.js';
import type { RefundUnmatchedPaymentInput, RefundUnmatchedPaymentOutcome } from './contracts/refundUnmatchedPayment.js';

// The attempts are unlimited: an unknown outcome is retried until it is known.
const { giveBack } = proxyActivities<typeof steps>({
  startToCloseTimeout: '45 seconds',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Number of checks until the workflow continues as new, so that the history of a run stays short however long the bank
 * takes.
 */
const CHECKS_PER_RUN = 100;

/** Refunds a payment once, and ends with the provider's outcome. */
export async function refundUntilOver(
  input: RefundUnmatchedPaymentInput,
  stage: (name: 'refunding' | RefundUnmatchedPaymentOutcome) => void,
): Promise<RefundUnmatchedPaymentOutcome> {
  stage('refunding');
  for (let checks = 0; checks < CHECKS_PER_RUN; checks += 1) {
    const outcome = await giveBack(input);
    if (outcome !== 'pending') {
      stage(outcome);
      return outcome;
    }
    await sleep('1 hour');
  }
  return continueAsNew(input);
}
