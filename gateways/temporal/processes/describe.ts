/** Describes a process by reading its execution directly, because Temporal's lists show changes with a delay. */
import { temporal as protobuf } from '@temporalio/proto';
import { decodePayload } from '../codec.js';
import { callTemporal, isNotFound } from './callTemporal.js';
import { type Execution, executionOf } from './execution.js';
import { type FailureKind, failureKind } from './failures.js';
import { dateOf, millisecondsOf } from './times.js';

const { PENDING_ACTIVITY_STATE_SCHEDULED } = protobuf.api.enums.v1.PendingActivityState;

/** An activity that is not completed. */
export interface PendingStep {
  id: string;
  name: string;
  /** The attempt from 1, including attempts before a retry by an operator. */
  attempt: number;
  /** Whether a worker is executing it; otherwise it waits for its next attempt or for a worker. */
  running: boolean;
  lastFailure: FailureKind | null;
  lastAttemptEndedAt: Date | null;
  /** When the next attempt starts; null unless the activity waits for its next attempt. */
  nextAttemptAt: Date | null;
}

export interface DescribedExecution extends Execution {
  /** When the process began. A process may consist of a chain of runs; this is the start of the first run. */
  firstStartedAt: Date;
  steps: PendingStep[];
  /** The attempt of the pending workflow task, from 1; null if there is none. */
  decisionAttempt: number | null;
  cancelRequested: boolean;
}

/**
 * Describes a process.
 * @returns null if Temporal has no such process
 * @throws TemporalUnavailable
 */
export async function describeExecution(workflowId: string, runId?: string): Promise<DescribedExecution | null> {
  try {
    return await callTemporal(async ({ workflow }) => {
      const description = await workflow.getHandle(workflowId, runId).describe();
      const { pendingActivities, pendingWorkflowTask, workflowExtendedInfo, workflowExecutionInfo } = description.raw;
      const firstRunId = workflowExecutionInfo?.firstRunId;
      const execution = executionOf(description);
      return {
        ...execution,
        firstStartedAt:
          firstRunId && firstRunId !== execution.runId
            ? await startOf(workflowId, firstRunId, execution.startedAt)
            : execution.startedAt,
        steps: await Promise.all((pendingActivities ?? []).map(stepOf)),
        decisionAttempt: pendingWorkflowTask ? Math.max(1, pendingWorkflowTask.attempt ?? 1) : null,
        cancelRequested: workflowExtendedInfo?.cancelRequested ?? false,
      };
    });
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Returns the start of a run, or `fallback` if Temporal has deleted the run. */
async function startOf(workflowId: string, runId: string, fallback: Date): Promise<Date> {
  try {
    return (await callTemporal(({ workflow }) => workflow.getHandle(workflowId, runId).describe())).startTime;
  } catch (error) {
    if (isNotFound(error)) return fallback;
    throw error;
  }
}

async function stepOf(info: protobuf.api.workflow.v1.IPendingActivityInfo): Promise<PendingStep> {
  const waiting = info.state === PENDING_ACTIVITY_STATE_SCHEDULED;
  const endedAt = dateOf(info.lastAttemptCompleteTime);
  return {
    id: info.activityId ?? '',
    name: info.activityType?.name ?? '',
    attempt: attemptOf(info, await recordedAttempts(info)),
    running: !waiting,
    lastFailure: await failureKind(info.lastFailure),
    lastAttemptEndedAt: endedAt,
    nextAttemptAt:
      waiting && endedAt ? (dateOf(info.nextAttemptScheduleTime) ?? nextAttemptAfter(endedAt, info)) : null,
  };
}

/**
 * Returns the number of attempts that the activity recorded in its heartbeats, which survive a retry by an operator; 0
 * if there are none.
 */
async function recordedAttempts({ heartbeatDetails }: protobuf.api.workflow.v1.IPendingActivityInfo): Promise<number> {
  const [payload] = heartbeatDetails?.payloads ?? [];
  const tries = payload ? await decodePayload(payload) : null;
  return typeof tries === 'number' ? tries : 0;
}

/** Returns the current or next attempt. Temporal counts from 1 again after a retry by an operator. */
function attemptOf(info: protobuf.api.workflow.v1.IPendingActivityInfo, recorded: number): number {
  const counted = Math.max(1, info.attempt ?? 1);
  const [startedAt, notedAt] = [dateOf(info.lastStartedTime), dateOf(info.lastHeartbeatTime)];
  const isOfCurrentAttempt =
    info.state !== PENDING_ACTIVITY_STATE_SCHEDULED && startedAt && notedAt && notedAt >= startedAt;
  return Math.max(counted, isOfCurrentAttempt ? recorded : recorded + 1);
}

const nextAttemptAfter = (
  endedAt: Date,
  { currentRetryInterval }: protobuf.api.workflow.v1.IPendingActivityInfo,
): Date => new Date(endedAt.getTime() + millisecondsOf(currentRetryInterval));

/** The number of concurrent requests. */
const CONCURRENCY = 10;

/** Names a process, and one of its runs; without a run, the latest one is meant. */
interface Named {
  workflowId: string;
  runId?: string;
}

/** Describes many runs, by their ids; deleted ones are left out. */
export const describeExecutions = (list: readonly Execution[]): Promise<Map<string, DescribedExecution>> =>
  describeEach(list, ({ runId }) => runId);

/** Describes the latest run of each process, by workflow id; deleted ones are left out. */
export const describeLatest = (workflowIds: readonly string[]): Promise<Map<string, DescribedExecution>> =>
  describeEach(
    workflowIds.map((workflowId) => ({ workflowId })),
    ({ workflowId }) => workflowId,
  );

async function describeEach(
  list: readonly Named[],
  keyOf: (execution: DescribedExecution) => string,
): Promise<Map<string, DescribedExecution>> {
  const described = new Map<string, DescribedExecution>();
  const waiting = [...list];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const execution = await describeExecution(next.workflowId, next.runId);
      if (execution) described.set(keyOf(execution), execution);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, waiting.length) }, work));
  return described;
}
