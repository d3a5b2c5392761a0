/** Cancels a running process: requests the cancellation, then observes whether the workflow ends as cancelled. */
import { isImpossible } from '../../gateways/temporal/processes/callTemporal.js';
import { requestCancel } from '../../gateways/temporal/processes/commands.js';
import type { DescribedExecution } from '../../gateways/temporal/processes/describe.js';
import type { CancelRule } from '../../workflows/contracts/process.js';
import { processErrors } from '../../models/processes/errors.js';
import { watchEffect } from './effect.js';

export const CANCEL_OUTCOMES = ['cancelled', 'cancelling', 'unknown'] as const;

export type CancelOutcome = (typeof CANCEL_OUTCOMES)[number];

export const CANCEL_DETAILS: Readonly<Record<CancelOutcome, string>> = {
  cancelled: 'The process is cancelled.',
  cancelling: 'Cancellation was requested. It takes effect when a worker picks up the process.',
  unknown: 'Cancellation was requested, but its effect cannot be observed right now. Check again shortly.',
};

/**
 * Requests the cancellation of a running process, and observes the outcome.
 * @throws Refusal process_finished when the process ended before the request; money_may_have_moved when it had reached
 * a stage in which money may move
 */
export async function cancelRunning(before: DescribedExecution, rule: CancelRule): Promise<CancelOutcome> {
  await requestCancel(before).catch((error: unknown) => {
    // The process ended between the look-up and the request; the code below sees how.
    if (!isImpossible(error)) throw error;
  });
  const outcome = await watchEffect<ObservedOutcome>(
    before.workflowId,
    (now) => observedOutcome(now, rule),
    () => 'cancelling',
  );
  if (outcome === 'finished') throw processErrors.process_finished('The process ended before it could be cancelled.');
  if (outcome === 'too_late') throw processErrors.money_may_have_moved();
  return outcome;
}

type ObservedOutcome = CancelOutcome | 'finished' | 'too_late';

/**
 * Determines from a process's current state how its cancellation ended. At this point its rows are cancelled and the
 * cancellation was requested from Temporal. Returns null while it is too early to say.
 */
export function observedOutcome(
  now: Pick<DescribedExecution, 'status' | 'stage'> | null,
  rule: CancelRule,
): ObservedOutcome | null {
  if (now === null) return 'unknown';
  const { status, stage } = now;
  // A workflow that finds its rows cancelled before the cancellation request arrives completes by itself at the stage
  // `outcomeWhenCancelled`. This counts as cancelled.
  const endedByItsRows =
    status === 'completed' &&
    'outcomeWhenCancelled' in rule &&
    rule.outcomeWhenCancelled !== null &&
    rule.outcomeWhenCancelled === stage;
  if (status === 'cancelled' || endedByItsRows) return 'cancelled';
  if (status !== 'running') return 'finished';
  return rule.when === 'before_money' && stage !== null && !rule.stages.includes(stage) ? 'too_late' : null;
}
