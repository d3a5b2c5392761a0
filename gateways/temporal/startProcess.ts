/** The one way in which a process starts: id, queue, search attributes, summary, priority and fairness in one place. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import {
  type SearchAttributePair,
  TypedSearchAttributes,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/common';
import type { ProcessContract } from '../../workflows/contracts/index.js';
import {
  ChapterId,
  OrganizationId,
  ProcessKind,
  RequestId,
  Stage,
  SubjectId,
} from '../../workflows/contracts/searchAttributes.js';
import { queueName, temporal } from './client.js';

const DEADLINE_MS = 4_000;

/** What an outbox row asks for. */
export interface ProcessMessage {
  organizationId: string;
  input: object;
  workflowId: string;
  signal: string | null;
  requestId: string | null;
}

/** Starts (or signals, starting it if need be) what an outbox row asks for. 'Already started' is success. */
export async function startMessage(contract: ProcessContract<never>, message: ProcessMessage): Promise<void> {
  const client = temporal();
  const options = startOptions(contract, message);
  await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
    if (message.signal) {
      await client.workflow.signalWithStart(contract.name, { ...options, signal: message.signal, signalArgs: [] });
      return;
    }
    try {
      await client.workflow.start(contract.name, options);
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  });
}

function startOptions(
  contract: ProcessContract<never>,
  { organizationId, input, workflowId, requestId }: ProcessMessage,
) {
  const known = input as never;
  const chapterId = contract.chapterId?.(known);
  const attributes: SearchAttributePair[] = [
    { key: OrganizationId, value: organizationId },
    { key: ProcessKind, value: contract.kind },
    { key: SubjectId, value: contract.subjectId(known) },
    { key: Stage, value: 'started' },
    ...(chapterId ? [{ key: ChapterId, value: chapterId }] : []),
    ...(requestId ? [{ key: RequestId, value: requestId }] : []),
  ];
  return {
    workflowId,
    taskQueue: queueName(contract.taskQueue),
    args: [input],
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
    typedSearchAttributes: new TypedSearchAttributes(attributes),
    staticSummary: contract.summary,
    priority: { priorityKey: contract.priority, fairnessKey: organizationId },
  };
}
