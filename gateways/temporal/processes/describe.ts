/** One process as it is at this moment: straight from its execution, not from the lists, which lag behind. */
import { temporal as protobuf } from '@temporalio/proto';
import { openPayload } from '../codec.js';
import { ask, isNotThere } from './ask.js';
import { type Execution, executionOf } from './execution.js';
import { type FailureKind, failureKind } from './failures.js';
import { dateOf, millisecondsOf } from './times.js';

const { PENDING_ACTIVITY_STATE_SCHEDULED } = protobuf.api.enums.v1.PendingActivityState;

/** A step that is not done yet. */
export interface PendingStep {
  id: string;
  name: string;
  /** From 1, over the retries that operators have asked for. */
  attempt: number;
  /** Whether a worker is at it now; else it waits for its time, or for a worker. */
  running: boolean;
  lastFailure: FailureKind | null;
  lastAttemptEndedAt: Date | null;
  /** Of a step that waits for its time. */
  nextAttemptAt: Date | null;
}

export interface DescribedExecution extends Execution {
  /** When the first run of this id began that led to this one. */
  firstStartedAt: Date;
  steps: PendingStep[];
  /** The workflow's own code is to be run: from 1, how often it was tried. null when nothing waits for it. */
  decisionAttempt: number | null;
  cancelRequested: boolean;
}

/** @returns null when Temporal knows no such process. @throws TemporalUnavailable */
export async function describeExecution(workflowId: string, runId?: string): Promise<DescribedExecution | null> {
  try {
    return await ask(async ({ workflow }) => {
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
    if (isNotThere(error)) return null;
    throw error;
  }
}

/** @returns when a run began, or `otherwise` when Temporal has forgotten it */
async function startOf(workflowId: string, runId: string, otherwise: Date): Promise<Date> {
  try {
    return (await ask(({ workflow }) => workflow.getHandle(workflowId, runId).describe())).startTime;
  } catch (error) {
    if (isNotThere(error)) return otherwise;
    throw error;
  }
}

async function stepOf(info: protobuf.api.workflow.v1.IPendingActivityInfo): Promise<PendingStep> {
  const waiting = info.state === PENDING_ACTIVITY_STATE_SCHEDULED;
  const endedAt = dateOf(info.lastAttemptCompleteTime);
  return {
    id: info.activityId ?? '',
    name: info.activityType?.name ?? '',
    attempt: countedOn(info, await triesNoted(info)),
    running: !waiting,
    lastFailure: await failureKind(info.lastFailure),
    lastAttemptEndedAt: endedAt,
    nextAttemptAt: waiting && endedAt ? (dateOf(info.nextAttemptScheduleTime) ?? later(endedAt, info)) : null,
  };
}

/** Tries that the step has noted in its heartbeats: they outlast an operator's retry. 0 when there are none. */
async function triesNoted({ heartbeatDetails }: protobuf.api.workflow.v1.IPendingActivityInfo): Promise<number> {
  const [noted] = heartbeatDetails?.payloads ?? [];
  const tries = noted ? await openPayload(noted) : null;
  return typeof tries === 'number' ? tries : 0;
}

/** Which try is under way, or comes next: Temporal itself counts from one again when an operator asks for a retry. */
function countedOn(info: protobuf.api.workflow.v1.IPendingActivityInfo, noted: number): number {
  const counted = Math.max(1, info.attempt ?? 1);
  const [startedAt, notedAt] = [dateOf(info.lastStartedTime), dateOf(info.lastHeartbeatTime)];
  const isItsOwn = info.state !== PENDING_ACTIVITY_STATE_SCHEDULED && startedAt && notedAt && notedAt >= startedAt;
  return Math.max(counted, isItsOwn ? noted : noted + 1);
}

const later = (endedAt: Date, { currentRetryInterval }: protobuf.api.workflow.v1.IPendingActivityInfo): Date =>
  new Date(endedAt.getTime() + millisecondsOf(currentRetryInterval));

/** Descriptions asked for at the same time. */
const AT_ONCE = 10;

/** Describes many; what has gone meanwhile is left out. */
export async function describeExecutions(list: readonly Execution[]): Promise<Map<string, DescribedExecution>> {
  const described = new Map<string, DescribedExecution>();
  const waiting = [...list];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const found = await describeExecution(next.workflowId, next.runId);
      if (found) described.set(found.runId, found);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, work));
  return described;
}
