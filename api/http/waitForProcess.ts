import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowFailedError } from '@temporalio/client';
import { config } from '../../config.js';
import { temporal } from '../../gateways/temporal/client.js';

const RETRY_INTERVAL_MS = 100;

/** Waits until the workflow ends, but at most PAY_WAIT_SECONDS. Its rows hold the outcome. */
export async function waitForProcess(workflowId: string): Promise<void> {
  const timeout = AbortSignal.timeout(config.PAY_WAIT_SECONDS * 1000);
  // The gRPC client ignores its abort signal while it waits to retry.
  await Promise.race([pollUntilEnded(workflowId, timeout), once(timeout, 'abort')]);
}

async function pollUntilEnded(workflowId: string, timeout: AbortSignal): Promise<void> {
  while (!timeout.aborted) {
    try {
      // A new signal for each call, because each call leaves a listener on its signal.
      const signal = AbortSignal.any([timeout]);
      await temporal().withAbortSignal(signal, () => temporal().workflow.getHandle(workflowId).result());
      return;
    } catch (error) {
      if (error instanceof WorkflowFailedError) return;
      // The workflow has not started yet, because another request is about to start it, or Temporal is unreachable.
      // Retry until the timeout.
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}
