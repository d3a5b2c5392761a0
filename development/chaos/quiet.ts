/** Waits until the platform is idle, as long as it makes progress. */
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 500;
/** Maximum total wait, as a multiple of the patience. Schedules change the remaining work again and again. */
const MAX_WAITS = 3;

/**
 * Polls until no work remains, or the remaining work has not changed for some time. A busy machine makes slow progress.
 * @param look returns the work that remains; throws while a part is down.
 * @returns the work that remained at the end
 */
export async function untilQuiet(look: () => Promise<string[]>, patienceSeconds: number): Promise<string[]> {
  const patienceMs = patienceSeconds * 1_000;
  const began = Date.now();
  let changedAt = began;
  let previous = '';
  for (let calm = 0; ; ) {
    const unrest = await look().catch((error: Error) => [`a part does not answer: ${error.message}`]);
    if (unrest.join() !== previous) changedAt = Date.now();
    previous = unrest.join();
    calm = unrest.length === 0 ? calm + 1 : 0;
    const isOver = Date.now() - changedAt > patienceMs || Date.now() - began > MAX_WAITS * patienceMs;
    // Require that the platform is idle twice in a row: work may be moving between two places and be visible in
    // neither.
    if (calm === 2 || (isOver && calm === 0)) return unrest;
    await sleep(POLL_MS);
  }
}
