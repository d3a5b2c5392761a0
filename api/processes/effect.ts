/** What a request to a process has brought about: looked at, never assumed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TemporalUnavailable } from '../../gateways/temporal/processes/ask.js';
import { type DescribedExecution, describeExecution } from '../../gateways/temporal/processes/describe.js';

const WATCH_MS = 4_000;
const LOOK_EVERY_MS = 150;

/**
 * Looks at a process until something is settled, for some seconds.
 * @param settled null while it is too early to say
 * @param otherwise what the last look says when nothing was settled
 * @returns `unknown` when Temporal cannot be asked
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
      await sleep(LOOK_EVERY_MS);
    }
  } catch (error) {
    if (error instanceof TemporalUnavailable) return 'unknown';
    throw error;
  }
}
