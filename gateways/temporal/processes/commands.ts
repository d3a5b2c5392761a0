/**
 * Commands of operators. A successful call means only that Temporal accepted it; its effect must be read afterwards.
 */
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { config } from '../../../config.js';
import { type ProcessContract } from '../../../workflows/contracts/index.js';
import type { ProcessInput } from '../../../workflows/contracts/process.js';
import { startOptions } from '../../../workflows/contracts/startOptions.js';
import { queueName } from '../client.js';
import { countStart } from '../metrics.js';
import { callTemporal, isAlreadyExists } from './callTemporal.js';

interface Run {
  workflowId: string;
  runId: string;
}

const namespace = (): string => config.TEMPORAL_NAMESPACE;
const IDENTITY = 'processes-api';

/**
 * Immediately retries an activity that is waiting for its next attempt. Temporal restarts its own count of attempts at
 * 1; the activity keeps the total number in its heartbeats.
 */
export const resetStep = ({ workflowId, runId }: Run, stepId: string): Promise<unknown> =>
  callTemporal(({ workflowService }) =>
    workflowService.resetActivity({
      namespace: namespace(),
      execution: { workflowId, runId },
      id: stepId,
      identity: IDENTITY,
    }),
  );

/**
 * Resumes an ended run with Temporal's reset: starts a new run with the history up to the given workflow task.
 * Repeating the request has no further effect.
 * @returns the id of the new run
 */
export const resumeRun = ({ workflowId, runId: from }: Run, decisionEventId: number): Promise<string> =>
  callTemporal(async ({ workflowService }) => {
    const { runId } = await workflowService.resetWorkflowExecution({
      namespace: namespace(),
      workflowExecution: { workflowId, runId: from },
      reason: 'An operator resumes it from the step that failed.',
      // The type of the protocol is a 64-bit integer. A number is enough, because a history has at most some ten
      // thousand events.
      workflowTaskFinishEventId: decisionEventId as never,
      requestId: `resume-${from}`,
      identity: IDENTITY,
    });
    return runId;
  });

/**
 * Starts a process again under its id, regardless of its last outcome. The server refuses it while a run is open.
 * @returns the id of the new run
 */
export const startAgain = (contract: ProcessContract, input: ProcessInput, requestId: string | null): Promise<string> =>
  callTemporal(async ({ workflow }) => {
    const handle = await workflow.start(contract.name, {
      ...startOptions(contract, input, requestId),
      taskQueue: queueName(contract.taskQueue),
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
    });
    return handle.firstExecutionRunId;
  });

/**
 * Starts a process unless it is running.
 * @returns false if it is running
 */
export async function startUnlessRunning(contract: ProcessContract, input: ProcessInput): Promise<boolean> {
  try {
    await startAgain(contract, input, null);
    countStart(contract.kind, 'started_again');
    return true;
  } catch (error) {
    if (isAlreadyExists(error)) return false;
    countStart(contract.kind, 'failed');
    throw error;
  }
}

/** Requests the cancellation of a running process; the workflow decides when it ends. */
export const requestCancel = ({ workflowId, runId }: Run): Promise<unknown> =>
  callTemporal(({ workflow }) => workflow.getHandle(workflowId, runId).cancel());
