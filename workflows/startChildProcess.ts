import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild, WorkflowIdReusePolicy, workflowInfo } from '@temporalio/workflow';
import { factsByName } from './contracts/index.js';
import type { ProcessContract, TaskQueue, TenantInput } from './contracts/process.js';
import { RequestId } from './contracts/searchAttributes.js';
import { startOptions } from './contracts/startOptions.js';

/**
 * Starts a process from within another, as the outbox would start it, and leaves it to itself.
 * One that runs already is left alone; one that has ended may run again.
 */
export async function startChildProcess<Input extends TenantInput>(
  contract: ProcessContract<Input>,
  input: Input,
): Promise<void> {
  try {
    await startChild(contract.name, {
      ...startOptions(contract, input, workflowInfo().typedSearchAttributes.get(RequestId)),
      taskQueue: onThisDeployment(contract.taskQueue),
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Workflows cannot read the settings: what comes before the parent's own queue is this deployment's prefix. */
function onThisDeployment(queue: TaskQueue): string {
  const { taskQueue, workflowType } = workflowInfo();
  const own = factsByName(workflowType)?.taskQueue ?? queue;
  return taskQueue.slice(0, -own.length) + queue;
}
