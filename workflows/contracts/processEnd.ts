import type { Sinks } from '@temporalio/workflow';

/** `task_failed`: a mistake in the code stopped this run; the server tries it again. */
export type ProcessEnd = 'completed' | 'continued' | 'cancelled' | 'failed' | 'task_failed';

/** What processes tell the worker that runs them. */
export interface ProcessSinks extends Sinks {
  processes: { ended(kind: string, end: ProcessEnd, result: string): void };
}
