/** What runs around every step and hears of every process's end: heartbeats, measurements, and spans when tracing is on. */
import { type Context, CancelledFailure } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor, ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker';
import { config } from '../config.js';
import type { TaskQueue } from '../workflows/contracts/index.js';
import type { ProcessEnd } from '../workflows/contracts/processEnd.js';
import { heartbeating } from './heartbeating.js';
import { endingWithoutRow } from './rowMissing.js';
import { noteTry, triesBefore } from './tries.js';
import { type WorkflowCode, workflowCode } from './workflowCode.js';
import { countProcess, countStep, countWait } from './metrics.js';

type Observed = Required<Pick<WorkerOptions, 'interceptors' | 'sinks'>> & WorkflowCode['code'];

/** The processes of a worker and what runs around them and their steps, for the worker of one queue. */
export async function observed(queue: TaskQueue): Promise<Observed> {
  // Loaded where it is used: it is heavy, and off by default.
  const tracing = config.tracing ? await import('./tracing.js') : undefined;
  const { code, modules } = workflowCode();
  return {
    ...code,
    interceptors: {
      activity: [...(tracing ? [tracing.tracedSteps] : []), everyStep(queue)],
      workflowModules: modules,
    },
    sinks: {
      processes: {
        ended: { fn: (_info, kind: string, end: ProcessEnd, result: string) => countProcess(kind, end, result) },
      },
      ...(tracing && { exporter: tracing.processSpans() }),
    },
  };
}

/** What runs around every step of a queue. */
export const everyStep =
  (queue: TaskQueue): ActivityInterceptorsFactory =>
  (context) => ({ inbound: measured(context, queue) });

function measured({ info }: Context, queue: TaskQueue): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      const started = performance.now();
      const seconds = () => (performance.now() - started) / 1000;
      countWait(queue, (Date.now() - info.currentAttemptScheduledTimestampMs) / 1000);
      try {
        if (triesBefore() > 0) noteTry();
        const result = await endingWithoutRow(() => heartbeating(() => next(input)));
        countStep(info.activityType, 'ok', seconds());
        return result;
      } catch (error) {
        countStep(info.activityType, error instanceof CancelledFailure ? 'cancelled' : 'failed', seconds());
        throw error;
      }
    },
  };
}
