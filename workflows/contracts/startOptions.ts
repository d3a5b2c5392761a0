import { type SearchAttributePair, WorkflowIdReusePolicy } from '@temporalio/common';
import type { ProcessContract } from './process.js';
import { ChapterId, OrganizationId, ProcessKind, RequestId, Stage, SubjectId } from './searchAttributes.js';

/** Input of a contract's process. */
export type ContractInput<Contract extends ProcessContract> = Parameters<Contract['workflowId']>[0];

/**
 * Returns the options for every start of a process: id and reuse policy, search attributes, summary, priority, and the
 * organization as fairness key.
 */
export function startOptions<Contract extends ProcessContract>(
  contract: Contract,
  input: ContractInput<Contract>,
  requestId: string | null | undefined,
) {
  const { ALLOW_DUPLICATE, REJECT_DUPLICATE } = WorkflowIdReusePolicy;
  const chapterId = contract.chapterId(input);
  const subjectId = (input as unknown as Record<string, unknown>)[contract.subject.id];
  const typedSearchAttributes: SearchAttributePair[] = [
    ...(input.organizationId === null ? [] : [{ key: OrganizationId, value: input.organizationId }]),
    { key: ProcessKind, value: contract.kind },
    { key: SubjectId, value: String(subjectId) },
    { key: Stage, value: 'started' },
    ...(chapterId ? [{ key: ChapterId, value: chapterId }] : []),
    ...(requestId ? [{ key: RequestId, value: requestId }] : []),
  ];
  return {
    workflowId: contract.workflowId(input),
    workflowIdReusePolicy: contract.allowRestart ? ALLOW_DUPLICATE : REJECT_DUPLICATE,
    args: [input],
    typedSearchAttributes,
    staticSummary: contract.summary,
    priority: { priorityKey: contract.priority, fairnessKey: input.organizationId ?? 'platform' },
  };
}
