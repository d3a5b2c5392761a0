import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowFailedError } from '@temporalio/client';
import { config } from '../../config.js';
import { temporal } from '../../gateways/temporal/client.js';

const ASK_AGAIN_MS = 100;

/** Waits for the process to end, for as long as a person would wait; its rows hold the outcome. */
export async function waitForProcess(workflowId: string): Promise<void> {
  const patience = AbortSignal.timeout(config.PAY_WAIT_SECONDS * 1000);
  // The gRPC client ignores its abort signal while it waits to retry.
  await Promise.race([untilEnded(workflowId, patience), once(patience, 'abort')]);
}

async function untilEnded(workflowId: string, patience: AbortSignal): Promise<void> {
  while (!patience.aborted) {
    try {
      // An own signal: each call leaves a listener on the signal it is given.
      const signal = AbortSignal.any([patience]);
      await temporal().withAbortSignal(signal, () => temporal().workflow.getHandle(workflowId).result());
      return;
    } catch (error) {
      if (error instanceof WorkflowFailedError) return;
      // Not started yet (another request is about to), or Temporal is unreachable: try again while there is time.
      await sleep(ASK_AGAIN_MS);
    }
  }
}
