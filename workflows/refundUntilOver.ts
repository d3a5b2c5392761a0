/** Repeats a refund until its outcome is known, for every process that refunds a captured payment. */
import { type ActivityOptions, continueAsNew, sleep } from '@temporalio/workflow';

/** Options of the refund's step. The attempts are unlimited: an unknown outcome is retried until it is known. */
export const REFUND_STEP: ActivityOptions = {
  startToCloseTimeout: '45 seconds',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Number of checks until the workflow continues as new, so that the history of a run stays short however long the bank
 * takes.
 */
const CHECKS_PER_RUN = 100;

/**
 * Refunds once, and ends with the provider's outcome.
 * @param step requests the refund, or asks the provider for the outcome of an earlier request
 */
export async function refundUntilOver<Input extends object, Outcome extends string>(
  input: Input,
  step: (input: Input) => Promise<Outcome | 'pending'>,
  stage: (name: Outcome) => void,
): Promise<Outcome> {
  for (let checks = 0; checks < CHECKS_PER_RUN; checks += 1) {
    const outcome = await step(input);
    if (outcome !== 'pending') {
      stage(outcome);
      return outcome;
    }
    await sleep('1 hour');
  }
  return continueAsNew(input);
}
