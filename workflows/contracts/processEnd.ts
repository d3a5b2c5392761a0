import type { Sinks } from '@temporalio/workflow';

/** `task_failed`: an error in the code failed this workflow task; the server retries it. */
export type ProcessEnd = 'completed' | 'continued' | 'cancelled' | 'failed' | 'task_failed';

/** Sinks through which workflows report to their worker. */
export interface ProcessSinks extends Sinks {
  processes: { ended(kind: string, end: ProcessEnd, result: string): void };
}
