import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ChildWorkflowCancellationType,
  type ChildWorkflowHandle,
  ParentClosePolicy,
  startChild,
  type Workflow,
  workflowInfo,
} from '@temporalio/workflow';
import { factsByName } from './contracts/index.js';
import type { ProcessContract, TaskQueue } from './contracts/process.js';
import { RequestId } from './contracts/searchAttributes.js';
import { startOptions, type ContractInput } from './contracts/startOptions.js';

/**
 * Starts a process from within another process, in the way the outbox relay does. The new process is independent: it
 * continues after the process that started it has ended. If it is already running, nothing happens; if it has ended, it
 * is started again only if its contract allows that.
 * @returns the started process; null if none was started
 */
export async function startChildProcess<Contract extends ProcessContract>(
  contract: Contract,
  input: ContractInput<Contract>,
): Promise<ChildWorkflowHandle<Workflow> | null> {
  try {
    return await startChild(contract.name, {
      ...startOptions(contract, input, workflowInfo().typedSearchAttributes.get(RequestId)),
      taskQueue: queueInDeployment(contract.taskQueue),
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return null;
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
