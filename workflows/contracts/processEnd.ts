import type { Sinks } from '@temporalio/workflow';

/**
 * How a workflow run or one of its tasks ended. `task_failed`: an error in the code failed the workflow task, which the
 * server retries.
 */
export type ProcessEnd = 'completed' | 'continued' | 'cancelled' | 'failed' | 'task_failed';

/** Sinks through which workflows report to their worker. */
export interface ProcessSinks extends Sinks {
  processes: { ended(kind: string, end: ProcessEnd, result: string): void };
}
