/** The one way in which a process starts: id, queue, search attributes, summary, priority and fairness in one place. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { WorkflowIdConflictPolicy } from '@temporalio/common';
import type { ProcessContract } from '../../workflows/contracts/index.js';
import type { ProcessInput } from '../../workflows/contracts/process.js';
import { startOptions } from '../../workflows/contracts/startOptions.js';
import { queueName, temporal } from './client.js';
import { countStart, type StartOutcome } from './metrics.js';

const DEADLINE_MS = 4_000;

/** What an outbox row asks for. */
export interface ProcessMessage {
  organizationId: string | null;
  input: object;
  workflowId: string;
  signal: string | null;
  requestId: string | null;
}

/**
 * Starts (or signals, starting it if need be) what an outbox row asks for. 'Already started' is success; so is a signal
 * to a process that has ended.
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
        // The server refuses the policy FAIL here: one that runs is what the signal is for.
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
