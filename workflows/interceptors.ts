/**
 * Interceptors of every workflow: show its outcome in the words of its contract, and report it to the worker, which
 * counts it.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  ContinueAsNew,
  isCancellation,
  proxySinks,
  setCurrentDetails,
  TemporalFailure,
  upsertSearchAttributes,
  type WorkflowInterceptorsFactory,
  workflowInfo,
} from '@temporalio/workflow';
import { NOT_FOUND, wordsFor } from './contracts/failures.js';
import { factsByName } from './contracts/index.js';
import type { ProcessEnd, ProcessSinks } from './contracts/processEnd.js';
import { ProcessKind, ROW_MISSING, Stage } from './contracts/searchAttributes.js';

/** Names of outcomes such as `settled`; anything else is not shown. */
const NAME = /^[a-z_]{1,30}$/;

function endOf(error: unknown): ProcessEnd {
  if (error instanceof ContinueAsNew) return 'continued';
  if (isCancellation(error)) return 'cancelled';
  return error instanceof TemporalFailure ? 'failed' : 'task_failed';
}

function tell(end: ProcessEnd, result: unknown): void {
  const { typedSearchAttributes, workflowType, unsafe } = workflowInfo();
  if (unsafe.isReplaying) return;
  const name = typeof result === 'string' && NAME.test(result) ? result : '';
  proxySinks<ProcessSinks>().processes.ended(typedSearchAttributes.get(ProcessKind) ?? workflowType, end, name);
}

/** Shows the outcome in the Temporal UI, which otherwise says only 'Completed'. */
function show(end: ProcessEnd, result: unknown, error?: unknown): void {
  const facts = factsByName(workflowInfo().workflowType);
  if (!facts) return;
  const { ends, cancel, failures } = facts;
  if (end === 'completed') setCurrentDetails(ends[String(result)] ?? '');
  if (end === 'cancelled') setCurrentDetails(`Cancelled. ${cancel.when === 'never' ? '' : cancel.says}`.trimEnd());
  if (end !== 'failed') return;
  const type = typeOf(error);
  if (type === NOT_FOUND) upsertSearchAttributes([{ key: Stage, value: ROW_MISSING }]);
  setCurrentDetails(`Failed. ${wordsFor(failures, type).detail}`);
}

/** Name of the error with which the last step failed. */
function typeOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return (cause instanceof ApplicationFailure && cause.type) || '';
}

export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      async execute(input, next) {
        try {
          const result = await next(input);
          show('completed', result);
          tell('completed', result);
          return result;
        } catch (error) {
          show(endOf(error), undefined, error);
          tell(endOf(error), undefined);
          throw error;
        }
      },
    },
  ],
});
