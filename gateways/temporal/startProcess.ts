/** Starts processes. Id, queue, search attributes, summary, priority and fairness are set here only. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { WorkflowIdConflictPolicy } from '@temporalio/common';
import type { ProcessContract } from '../../workflows/contracts/index.js';
import type { ProcessInput } from '../../workflows/contracts/process.js';
import { startOptions } from '../../workflows/contracts/startOptions.js';
import { queueName, temporal } from './client.js';
import { countStart, type StartOutcome } from './metrics.js';

const DEADLINE_MS = 4_000;

/** The content of an outbox row. */
export interface ProcessMessage {
  organizationId: string | null;
  input: object;
  workflowId: string;
  signal: string | null;
  requestId: string | null;
}

/**
 * Starts the process of an outbox row. If the row has a signal, sends the signal, and starts the process first if it is
 * not running. A process that was started before counts as success, even if it has ended and does not get the signal.
 */
export async function startMessage(contract: ProcessContract, message: ProcessMessage): Promise<void> {
  try {
    countStart(contract.kind, await start(contract, message));
  } catch (error) {
    countStart(contract.kind, 'failed');
    throw error;
  }
}

async function start(contract: ProcessContract, message: ProcessMessage): Promise<StartOutcome> {
  const client = temporal();
  const { signal } = message;
  const options = optionsFor(contract, message);
  return client.withDeadline(Date.now() + DEADLINE_MS, async () => {
    try {
      if (signal) {
        // A process that is already running gets the signal. This needs USE_EXISTING, because the server refuses the
        // policy FAIL for a request with a signal.
        const workflowIdConflictPolicy = WorkflowIdConflictPolicy.USE_EXISTING;
        await client.workflow.signalWithStart(contract.name, {
          ...options,
          workflowIdConflictPolicy,
          signal,
          signalArgs: [],
        });
        return 'signalled';
      }
      await client.workflow.start(contract.name, options);
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already_started';
      throw error;
    }
  });
}

function optionsFor(contract: ProcessContract, { input, requestId, workflowId }: ProcessMessage) {
  return {
    ...startOptions(contract, input as ProcessInput, requestId),
    workflowId,
    taskQueue: queueName(contract.taskQueue),
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
  };
}
