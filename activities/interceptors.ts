/** Interceptors around every activity and workflow: heartbeats, metrics, and spans when tracing is on. */
import { type Context, CancelledFailure } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor, ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker';
import { config } from '../config.js';
import { reportIncident } from '../services/processes/incidents.js';
import type { TaskQueue } from '../workflows/contracts/index.js';
import type { ProcessEnd } from '../workflows/contracts/processEnd.js';
import { withHeartbeats } from './withHeartbeats.js';
import { failIfRowMissing } from './rowMissing.js';
import { recordFailures } from './recordFailures.js';
import { heartbeatAttempt, previousAttempts } from './attempts.js';
import { type WorkflowCode, workflowCode } from './workflowCode.js';
import { countProcess, countStep, countWait } from './metrics.js';

type InterceptedWorkflows = Required<Pick<WorkerOptions, 'interceptors' | 'sinks'>> & WorkflowCode['code'];

/** Returns the workflow bundle and the interceptors for the worker of one queue. */
export async function interceptWorkflows(queue: TaskQueue): Promise<InterceptedWorkflows> {
  // Loaded on demand: the module is large, and tracing is off by default.
  const tracing = config.tracing ? await import('./tracing.js') : undefined;
  const { code, modules } = workflowCode();
  return {
    ...code,
    interceptors: {
      activity: [...(tracing ? [tracing.tracedSteps] : []), activityInterceptors(queue)],
      workflowModules: modules,
    },
    sinks: {
      processes: {
        ended: {
          fn: (run, kind: string, end: ProcessEnd, result: string) => {
            countProcess(kind, end, result);
            if (end === 'task_failed') void reportIncident(run, 'task_failed');
          },
        },
      },
      ...(tracing && { exporter: tracing.processSpans() }),
    },
  };
}

/** Returns the interceptors that wrap every activity of a queue. */
export const activityInterceptors =
  (queue: TaskQueue): ActivityInterceptorsFactory =>
  (context) => ({ inbound: measureActivity(context, queue) });

function measureActivity({ info }: Context, queue: TaskQueue): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      const started = performance.now();
      const seconds = () => (performance.now() - started) / 1000;
      countWait(queue, (Date.now() - info.currentAttemptScheduledTimestampMs) / 1000);
      try {
        if (previousAttempts() > 0) heartbeatAttempt();
        const result = await withHeartbeats(() => recordFailures(() => failIfRowMissing(() => next(input))));
        countStep(info.activityType, 'ok', seconds());
        return result;
      } catch (error) {
        countStep(info.activityType, error instanceof CancelledFailure ? 'cancelled' : 'failed', seconds());
        throw error;
      }
    },
  };
}
