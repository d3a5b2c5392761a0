/** Observes the effect of a request on a process, by polling Temporal. */
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '../../config.js';
import { TemporalUnavailable } from '../../gateways/temporal/processes/callTemporal.js';
import { type DescribedExecution, describeExecution } from '../../gateways/temporal/processes/describe.js';

const POLL_INTERVAL_MS = 150;

/**
 * Polls a process until `settled` returns an outcome, for at most PROCESS_WATCH_SECONDS.
 * @param settled returns null while it is too early to say
 * @param otherwise computes the outcome from the last poll when the time is up
 * @returns `unknown` when Temporal is unavailable
 */
export async function watchEffect<Outcome>(
  workflowId: string,
  settled: (now: DescribedExecution | null) => Outcome | null,
  otherwise: (now: DescribedExecution | null) => Outcome,
): Promise<Outcome | 'unknown'> {
  const until = Date.now() + config.PROCESS_WATCH_SECONDS * 1000;
  try {
    for (;;) {
      const now = await describeExecution(workflowId);
      const outcome = settled(now);
      if (outcome !== null) return outcome;
      if (Date.now() >= until) return otherwise(now);
      await sleep(POLL_INTERVAL_MS);
    }
  } catch (error) {
    if (error instanceof TemporalUnavailable) return 'unknown';
    throw error;
  }
}
