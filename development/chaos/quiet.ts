/** Waits until the platform is idle, up to a timeout. */
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 500;

/**
 * Polls until no work remains or the time is over.
 * @param look returns the work that remains; throws while a part is down.
 * @returns the work that remained at the timeout
 */
export async function untilQuiet(look: () => Promise<string[]>, patienceSeconds: number): Promise<string[]> {
  const deadline = Date.now() + patienceSeconds * 1000;
  for (let calm = 0; ; ) {
    const unrest = await look().catch((error: Error) => [`a part does not answer: ${error.message}`]);
    calm = unrest.length === 0 ? calm + 1 : 0;
    // Require that the platform is idle twice in a row: work may be moving between two places and be visible in
    // neither.
    if (calm === 2 || Date.now() > deadline) return unrest;
    await sleep(POLL_MS);
  }
}
