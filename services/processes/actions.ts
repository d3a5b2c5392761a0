/**
 * Decides whether a process can safely be retried or cancelled now. The verdicts are shown with the process and are
 * checked again before the action.
 */
import type { DescribedExecution } from '../../gateways/temporal/processes/describe.js';
import type { ErrorDefinition, FieldErrors, Refusal } from '../../models/errors.js';
import { processErrors } from '../../models/processes/errors.js';
import type { MoneyMoved } from '../../models/processes/rowParts.js';
import { isScheduled, type ProcessFacts } from '../../workflows/contracts/index.js';
import { ROW_MISSING } from '../../workflows/contracts/searchAttributes.js';
import type { Process } from './findProcess.js';

type Raise = ((detail?: string, errors?: FieldErrors) => Refusal) & ErrorDefinition;

/** Whether an action is safe now, and a sentence that says why or why not. */
export type Verdict = { safe: true; reason: string } | { safe: false; reason: string; refusal: Raise };

const allow = (reason: string): Verdict => ({ safe: true, reason });
const deny = (refusal: Raise, reason = refusal.detail): Verdict => ({ safe: false, reason, refusal });

export function mayRetry(process: Process): Verdict {
  const { facts, execution, waiting } = process;
  if (isScheduled(facts)) return deny(processErrors.process_of_platform);
  if (waiting) {
    if (waiting.cancelledAt)
      return deny(processErrors.process_finished, 'This process was cancelled before it started.');
    return allow(
      'The start is attempted again immediately. A process starts only once, even if its start is attempted several times.',
    );
  }
  if (process.intent && ['completed', 'cancelled'].includes(execution.status))
    return allow(
      'The process has ended, but its row is still pending. It is started again, and completed steps are not repeated.',
    );
  if (execution.stage === ROW_MISSING && !process.intent)
    return deny(
      processErrors.process_finished,
      'The subject of this process has been deleted. There is nothing to retry.',
    );
  switch (execution.status) {
    case 'completed':
      return deny(processErrors.process_finished);
    case 'cancelled':
      return deny(
        processErrors.process_finished,
        'This process was cancelled. If it is still needed, submit a new request.',
      );
    case 'running':
      return retryOfRunning(execution);
    default:
      return allow('The process runs again from the step that failed. Completed steps are not repeated.');
  }
}

function retryOfRunning({ steps, decisionAttempt, cancelRequested }: DescribedExecution): Verdict {
  if (cancelRequested) return deny(processErrors.process_being_cancelled);
  if (steps.some(hasFailed))
    return allow('The step is retried immediately. Work that it has already completed is not repeated.');
  if (decisionAttempt !== null && decisionAttempt > 1)
    return deny(
      processErrors.nothing_to_retry,
      'None of the running worker releases can continue this process. Deploy a release that can.',
    );
  return deny(processErrors.nothing_to_retry);
}

/** Reports whether a step has failed at least once and has not completed since. */
export const hasFailed = ({ attempt, lastFailure }: DescribedExecution['steps'][number]): boolean =>
  attempt > 1 || lastFailure !== null;

export function mayCancel({ facts, execution, waiting }: Process, moved: MoneyMoved): Verdict {
  const hasEnded = waiting ? waiting.cancelledAt !== null : execution.status !== 'running';
  if (hasEnded) return deny(processErrors.process_finished);
  if (isScheduled(facts)) return deny(processErrors.process_of_platform);
  if (facts.cancel.when === 'never') return deny(processErrors.process_not_cancellable, facts.cancel.says);
  if (execution?.cancelRequested) return deny(processErrors.process_being_cancelled);
  if (!isBeforeMoneyMoves(facts, execution?.stage ?? 'started', moved)) return deny(processErrors.money_may_have_moved);
  return allow(facts.cancel.says);
}

/**
 * Returns whether a bulk action may cancel the process. The rules are those of `mayCancel`, but an administrator does not
 * look at each process, so one whose money has moved or may have moved is left out even if its kind allows a cancellation.
 */
export function mayCancelInBulk(process: Process, moved: MoneyMoved): Verdict {
  const verdict = mayCancel(process, moved);
  return verdict.safe && moved !== 'no' ? deny(processErrors.money_may_have_moved) : verdict;
}

function isBeforeMoneyMoves({ cancel }: ProcessFacts, stage: string, moved: MoneyMoved): boolean {
  return cancel.when !== 'before_money' || (moved === 'no' && cancel.stages.includes(stage));
}
