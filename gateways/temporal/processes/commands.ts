/** What operators may ask of a process. Each says only that Temporal took the request: its effect is looked at afterwards. */
import { WorkflowIdReusePolicy } from '@temporalio/common';
import { config } from '../../../config.js';
import { type ProcessContract } from '../../../workflows/contracts/index.js';
import type { ProcessInput } from '../../../workflows/contracts/process.js';
import { startOptions } from '../../../workflows/contracts/startOptions.js';
import { queueName } from '../client.js';
import { ask } from './ask.js';

interface Run {
  workflowId: string;
  runId: string;
}

const namespace = (): string => config.TEMPORAL_NAMESPACE;
const IDENTITY = 'processes-api';

/** Runs a step that waits for its next attempt at once, and counts its attempts from one again. */
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

/** Starts a process again that ended before it had decided anything. @returns the new run */
export const startAgain = (
  contract: ProcessContract<ProcessInput>,
  input: ProcessInput,
  requestId: string,
): Promise<string> =>
  ask(async ({ workflow }) => {
    const handle = await workflow.start(contract.name, {
      ...startOptions(contract, input, requestId),
      taskQueue: queueName(contract.taskQueue),
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
    });
    return handle.firstExecutionRunId;
  });

/** Asks a running process to end; it does so where its story allows. */
export const requestCancel = ({ workflowId, runId }: Run): Promise<unknown> =>
  ask(({ workflow }) => workflow.getHandle(workflowId, runId).cancel());
