/**
 * Interceptors of every workflow. They show the outcome in the words of the contract, and report it to the worker's
 * metrics.
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
import { NOT_FOUND, describeFailure } from './contracts/failures.js';
import { factsByName } from './contracts/index.js';
import type { ProcessEnd, ProcessSinks } from './contracts/processEnd.js';
import { ProcessKind, ROW_MISSING, Stage } from './contracts/searchAttributes.js';

/** Names of outcomes such as `settled`; anything else is not shown. */
const OUTCOME_NAME = /^[a-z_]{1,30}$/;

function endOf(error: unknown): ProcessEnd {
  if (error instanceof ContinueAsNew) return 'continued';
  if (isCancellation(error)) return 'cancelled';
  return error instanceof TemporalFailure ? 'failed' : 'task_failed';
}

function reportEnd(end: ProcessEnd, result: unknown): void {
  const { typedSearchAttributes, workflowType, unsafe } = workflowInfo();
  if (unsafe.isReplaying) return;
  const name = typeof result === 'string' && OUTCOME_NAME.test(result) ? result : '';
  proxySinks<ProcessSinks>().processes.ended(typedSearchAttributes.get(ProcessKind) ?? workflowType, end, name);
}

/** Shows the outcome in the Temporal UI, which otherwise says only 'Completed'. */
function showEnd(end: ProcessEnd, result: unknown, error?: unknown): void {
  const facts = factsByName(workflowInfo().workflowType);
  if (!facts) return;
  const { ends, cancel, failures } = facts;
  if (end === 'completed') setCurrentDetails(ends[String(result)] ?? '');
  if (end === 'cancelled') setCurrentDetails(`Cancelled. ${cancel.when === 'never' ? '' : cancel.says}`.trimEnd());
  if (end !== 'failed') return;
  const type = failureType(error);
  if (type === NOT_FOUND) upsertSearchAttributes([{ key: Stage, value: ROW_MISSING }]);
  setCurrentDetails(`Failed. ${describeFailure(failures, type).detail}`);
}

/** Returns the name of the error with which the last step failed. */
function failureType(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return (cause instanceof ApplicationFailure && cause.type) || '';
}

export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      async execute(input, next) {
        try {
          const result = await next(input);
          showEnd('completed', result);
          reportEnd('completed', result);
          return result;
        } catch (error) {
          showEnd(endOf(error), undefined, error);
          reportEnd(endOf(error), undefined);
          throw error;
        }
      },
    },
  ],
});
