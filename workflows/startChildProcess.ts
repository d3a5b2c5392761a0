import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild, workflowInfo } from '@temporalio/workflow';
import { factsByName } from './contracts/index.js';
import type { ProcessContract, TaskQueue } from './contracts/process.js';
import { RequestId } from './contracts/searchAttributes.js';
import { startOptions, type ContractInput } from './contracts/startOptions.js';

/**
 * Starts a process from within another process, as the outbox relay would. The new process is independent: it continues
 * when the other one ends. A running process is not restarted. A process that has ended is restarted only if its
 * contract allows it.
 */
export async function startChildProcess<Contract extends ProcessContract>(
  contract: Contract,
  input: ContractInput<Contract>,
): Promise<void> {
  try {
    await startChild(contract.name, {
      ...startOptions(contract, input, workflowInfo().typedSearchAttributes.get(RequestId)),
      taskQueue: queueInDeployment(contract.taskQueue),
      parentClosePolicy: ParentClosePolicy.ABANDON,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/**
 * Returns the queue's name in this deployment. Workflows cannot read the configuration, so the deployment's prefix
 * comes from the parent's own queue.
 */
function queueInDeployment(queue: TaskQueue): string {
  const { taskQueue, workflowType } = workflowInfo();
  const own = factsByName(workflowType)?.taskQueue ?? queue;
  return taskQueue.slice(0, -own.length) + queue;
}
