/** The one way in which a process starts: id, queue, search attributes, summary, priority and fairness in one place. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import type { ProcessContract } from '../../workflows/contracts/index.js';
import type { TenantInput } from '../../workflows/contracts/process.js';
import { startOptions } from '../../workflows/contracts/startOptions.js';
import { queueName, temporal } from './client.js';
import { countStart, type StartOutcome } from './metrics.js';

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
  try {
    countStart(contract.kind, await start(contract, message));
  } catch (error) {
    countStart(contract.kind, 'failed');
    throw error;
  }
}

async function start(contract: ProcessContract<never>, message: ProcessMessage): Promise<StartOutcome> {
  const client = temporal();
  const { signal } = message;
  const options = optionsFor(contract, message);
  return client.withDeadline(Date.now() + DEADLINE_MS, async () => {
    if (signal) {
      await client.workflow.signalWithStart(contract.name, { ...options, signal, signalArgs: [] });
      return 'signalled';
    }
    try {
      await client.workflow.start(contract.name, options);
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already_started';
      throw error;
    }
  });
}

function optionsFor(contract: ProcessContract<never>, { input, requestId, workflowId }: ProcessMessage) {
  return {
    ...startOptions(contract as unknown as ProcessContract<TenantInput>, input as TenantInput, requestId),
    workflowId,
    taskQueue: queueName(contract.taskQueue),
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
  };
}
