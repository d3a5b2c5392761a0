import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild, workflowInfo } from '@temporalio/workflow';
import { factsByName } from './contracts/index.js';
import type { ProcessContract, TaskQueue } from './contracts/process.js';
import { RequestId } from './contracts/searchAttributes.js';
import { startOptions, type ToldTo } from './contracts/startOptions.js';

/**
 * Starts a process from within another, as the outbox would, and abandons it. A running process is left alone; so is
 * one that has ended, unless its contract allows a restart.
 */
export async function startChildProcess<Contract extends ProcessContract>(
  contract: Contract,
  input: ToldTo<Contract>,
): Promise<void> {
  try {
    await startChild(contract.name, {
      ...startOptions(contract, input, workflowInfo().typedSearchAttributes.get(RequestId)),
      taskQueue: onThisDeployment(contract.taskQueue),
      parentClosePolicy: ParentClosePolicy.ABANDON,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Workflows cannot read the configuration: the deployment's prefix is taken from the parent's own queue. */
function onThisDeployment(queue: TaskQueue): string {
  const { taskQueue, workflowType } = workflowInfo();
  const own = factsByName(workflowType)?.taskQueue ?? queue;
  return taskQueue.slice(0, -own.length) + queue;
}
