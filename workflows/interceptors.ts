/** What runs around every process: its end is told to the worker, which counts it. */
import {
  ContinueAsNew,
  isCancellation,
  proxySinks,
  TemporalFailure,
  type WorkflowInterceptorsFactory,
  workflowInfo,
} from '@temporalio/workflow';
import type { ProcessEnd, ProcessSinks } from './contracts/processEnd.js';
import { ProcessKind } from './contracts/searchAttributes.js';

/** Names of results, `settled` say, are few and ours; anything else is not shown. */
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

export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      async execute(input, next) {
        try {
          const result = await next(input);
          tell('completed', result);
          return result;
        } catch (error) {
          tell(endOf(error), undefined);
          throw error;
        }
      },
    },
  ],
});
