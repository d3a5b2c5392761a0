/** What may safely be done with a process now: shown with it, and asked again before it is done. */
import type { DescribedExecution } from '../../gateways/temporal/processes/describe.js';
import type { ErrorDefinition, FieldErrors, Refusal } from '../../models/errors.js';
import { processErrors } from '../../models/processes/errors.js';
import type { MoneyMoved } from '../../models/processes/rowParts.js';
import { isScheduled, type ProcessFacts } from '../../workflows/contracts/index.js';
import { ROW_MISSING } from '../../workflows/contracts/searchAttributes.js';
import type { Process } from './reach.js';

type Raise = ((detail?: string, errors?: FieldErrors) => Refusal) & ErrorDefinition;

/** Whether an action is safe now, and in a sentence why, or why not. */
export type Verdict = { safe: true; reason: string } | { safe: false; reason: string; refusal: Raise };

const yes = (reason: string): Verdict => ({ safe: true, reason });
const no = (refusal: Raise, reason = refusal.detail): Verdict => ({ safe: false, reason, refusal });

export function mayRetry(process: Process): Verdict {
  const { facts, execution, waiting } = process;
  if (isScheduled(facts)) return no(processErrors.process_of_platform);
  if (waiting) {
    if (waiting.cancelledAt) return no(processErrors.process_finished, 'It was cancelled before it began.');
    return yes('Its start is tried at once; a process starts only once, however often that is tried.');
  }
  if (process.intent && ['completed', 'cancelled'].includes(execution.status))
    return yes('It has ended, and its row still waits for it: it is started again, and does nothing twice.');
  if (execution.stage === ROW_MISSING && !process.intent)
    return no(processErrors.process_finished, 'What it is about is not there any more; there is nothing to try again.');
  switch (execution.status) {
    case 'completed':
      return no(processErrors.process_finished);
    case 'cancelled':
      return no(processErrors.process_finished, 'It was cancelled. What is still wanted is to be asked for anew.');
    case 'running':
      return retryOfRunning(execution);
    default:
      return yes('It runs again from the step that failed: what was done stays done, and nothing is done twice.');
  }
}

function retryOfRunning({ steps, decisionAttempt, cancelRequested }: DescribedExecution): Verdict {
  if (cancelRequested) return no(processErrors.process_being_cancelled);
  if (steps.some(hasFailed)) return yes('The step is tried again at once; what it has done already is not done twice.');
  if (decisionAttempt !== null && decisionAttempt > 1)
    return no(processErrors.nothing_to_retry, 'No release of the worker that runs now can carry it on.');
  return no(processErrors.nothing_to_retry);
}

/** Whether a step has failed at least once and was not done since. */
export const hasFailed = ({ attempt, lastFailure }: DescribedExecution['steps'][number]): boolean =>
  attempt > 1 || lastFailure !== null;

export function mayCancel({ facts, execution, waiting }: Process, moved: MoneyMoved): Verdict {
  const over = waiting ? waiting.cancelledAt !== null : execution.status !== 'running';
  if (over) return no(processErrors.process_finished);
  if (isScheduled(facts)) return no(processErrors.process_of_platform);
  if (facts.cancel.when === 'never') return no(processErrors.process_not_cancellable, facts.cancel.says);
  if (execution?.cancelRequested) return no(processErrors.process_being_cancelled);
  if (!beforeMoney(facts, execution?.stage ?? 'started', moved)) return no(processErrors.money_may_have_moved);
  return yes(facts.cancel.says);
}

function beforeMoney({ cancel }: ProcessFacts, stage: string, moved: MoneyMoved): boolean {
  return cancel.when !== 'before_money' || (moved === 'no' && cancel.stages.includes(stage));
}
