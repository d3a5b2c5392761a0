/** A process as Temporal lists it. */
import type { WorkflowExecutionInfo } from '@temporalio/client';
import { ChapterId, OrganizationId, Stage, SubjectId } from '../../../workflows/contracts/searchAttributes.js';
import type { ExecutionStatus } from './query.js';

export interface Execution {
  workflowId: string;
  runId: string;
  /** The workflow type. */
  name: string;
  taskQueue: string;
  status: ExecutionStatus;
  /** The start of this run. If this run continues another one, the process began earlier. */
  startedAt: Date;
  closedAt: Date | null;
  organizationId: string | null;
  chapterId: string | null;
  subjectId: string | null;
  stage: string | null;
}

const STATUS: Record<string, ExecutionStatus> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  TERMINATED: 'terminated',
  TIMED_OUT: 'timed_out',
};

export function executionOf(info: Omit<WorkflowExecutionInfo, 'raw'>): Execution {
  const { workflowId, runId, type, taskQueue, startTime, closeTime, typedSearchAttributes: attributes } = info;
  return {
    workflowId,
    runId,
    name: type,
    taskQueue,
    // Any other status, for example paused, counts as running.
    status: STATUS[info.status.name] ?? 'running',
    startedAt: startTime,
    closedAt: closeTime ?? null,
    organizationId: attributes.get(OrganizationId) ?? null,
    chapterId: attributes.get(ChapterId) ?? null,
    subjectId: attributes.get(SubjectId) ?? null,
    stage: attributes.get(Stage) ?? null,
  };
}
