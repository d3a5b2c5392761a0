import type { SearchAttributePair } from '@temporalio/common';
import type { ProcessContract, ProcessInput } from './process.js';
import { ChapterId, OrganizationId, ProcessKind, RequestId, Stage, SubjectId } from './searchAttributes.js';

/**
 * What every start of a process carries, whoever starts it: its id, the attributes that operators filter by, its summary,
 * its priority, and the organization as fairness key.
 * @param requestId of the request that asked for it, if one did
 */
export function startOptions<Input extends ProcessInput>(
  contract: ProcessContract<Input>,
  input: Input,
  requestId: string | null | undefined,
) {
  const chapterId = contract.chapterId?.(input);
  const typedSearchAttributes: SearchAttributePair[] = [
    ...(input.organizationId === null ? [] : [{ key: OrganizationId, value: input.organizationId }]),
    { key: ProcessKind, value: contract.kind },
    { key: SubjectId, value: String(input[contract.subject.id]) },
    { key: Stage, value: 'started' },
    ...(chapterId ? [{ key: ChapterId, value: chapterId }] : []),
    ...(requestId ? [{ key: RequestId, value: requestId }] : []),
  ];
  return {
    workflowId: contract.workflowId(input),
    args: [input],
    typedSearchAttributes,
    staticSummary: contract.summary,
    priority: { priorityKey: contract.priority, fairnessKey: input.organizationId ?? 'platform' },
  };
}
