/** What operators may ask of a process. Each says only that Temporal took the request: its effect is looked at afterwards. */
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { config } from '../../../config.js';
import { type ProcessContract } from '../../../workflows/contracts/index.js';
import type { ProcessInput } from '../../../workflows/contracts/process.js';
import { startOptions } from '../../../workflows/contracts/startOptions.js';
import { queueName } from '../client.js';
import { countStart } from '../metrics.js';
import { ask, isAlreadyThere } from './ask.js';

interface Run {
  workflowId: string;
  runId: string;
}

const namespace = (): string => config.TEMPORAL_NAMESPACE;
const IDENTITY = 'processes-api';

/** Runs a step that waits for its next attempt at once. Temporal counts from one again; the step itself goes on counting. */
export const resetStep = ({ workflowId, runId }: Run, stepId: string): Promise<unknown> =>
  ask(({ workflowService }) =>
    workflowService.resetActivity({
      namespace: namespace(),
      execution: { workflowId, runId },
      id: stepId,
      identity: IDENTITY,
    }),
  );

/**
 * Takes a decision of an ended run again, in a new run that has everything before it. Asked twice, it is done once.
 * @returns the new run
 */
export const resumeRun = ({ workflowId, runId: from }: Run, decisionEventId: number): Promise<string> =>
  ask(async ({ workflowService }) => {
    const { runId } = await workflowService.resetWorkflowExecution({
      namespace: namespace(),
      workflowExecution: { workflowId, runId: from },
      reason: 'An operator runs it again from the step that failed.',
      // 64-bit in the protocol; events are numbered up to some ten thousands.
      workflowTaskFinishEventId: decisionEventId as never,
      requestId: `resume-${from}`,
      identity: IDENTITY,
    });
    return runId;
  });

/**
 * Starts a process again under its id, whatever became of it before; the server refuses it while one runs.
 * @returns the new run
 */
export const startAgain = (contract: ProcessContract, input: ProcessInput, requestId: string | null): Promise<string> =>
  ask(async ({ workflow }) => {
    const handle = await workflow.start(contract.name, {
      ...startOptions(contract, input, requestId),
      taskQueue: queueName(contract.taskQueue),
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
    });
    return handle.firstExecutionRunId;
  });

/** @returns whether it was started: false while it runs */
export async function startUnlessRunning(contract: ProcessContract, input: ProcessInput): Promise<boolean> {
  try {
    await startAgain(contract, input, null);
    countStart(contract.kind, 'started_again');
    return true;
  } catch (error) {
    if (isAlreadyThere(error)) return false;
    countStart(contract.kind, 'failed');
    throw error;
  }
}

/** Asks a running process to end; it does so where its story allows. */
export const requestCancel = ({ workflowId, runId }: Run): Promise<unknown> =>
  ask(({ workflow }) => workflow.getHandle(workflowId, runId).cancel());
