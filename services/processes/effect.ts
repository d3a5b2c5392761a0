/** Observes the effect of a request on a process, by polling Temporal. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TemporalUnavailable } from '../../gateways/temporal/processes/callTemporal.js';
import { type DescribedExecution, describeExecution } from '../../gateways/temporal/processes/describe.js';

const WATCH_MS = 4_000;
const POLL_INTERVAL_MS = 150;

/**
 * Polls a process until `settled` returns an outcome, for at most `watchMs` milliseconds.
 * @param settled returns null while it is too early to say
 * @param otherwise computes the outcome from the last poll when the time is up
 * @returns `unknown` when Temporal is unavailable
 */
export async function watchEffect<Outcome>(
  workflowId: string,
  settled: (now: DescribedExecution | null) => Outcome | null,
  otherwise: (now: DescribedExecution | null) => Outcome,
  watchMs = WATCH_MS,
): Promise<Outcome | 'unknown'> {
  const until = Date.now() + watchMs;
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
