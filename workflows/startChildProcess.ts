import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild, WorkflowIdReusePolicy } from '@temporalio/workflow';
import type { ProcessContract, TenantInput } from './contracts/process.js';
import { OrganizationId, ProcessKind, Stage, SubjectId } from './contracts/searchAttributes.js';

/**
 * Starts a process from within another, with the attributes, priority and fairness that it would get from the outbox,
 * and leaves it to itself. One that runs already is left alone; one that has ended may run again.
 * The child is served by the parent's task queue: only processes of one queue start one another.
 */
export async function startChildProcess<Input extends TenantInput>(
  contract: ProcessContract<Input>,
  input: Input,
): Promise<void> {
  try {
    await startChild(contract.name, {
      workflowId: contract.workflowId(input),
      args: [input],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      typedSearchAttributes: [
        { key: OrganizationId, value: input.organizationId },
        { key: ProcessKind, value: contract.kind },
        { key: SubjectId, value: contract.subjectId(input) },
        { key: Stage, value: 'started' },
      ],
      staticSummary: contract.summary,
      priority: { priorityKey: contract.priority, fairnessKey: input.organizationId },
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
