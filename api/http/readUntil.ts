/** Lets a request wait for rows that a process changes. */
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 500;

/**
 * Reads at growing intervals, until the result is complete or the next read would come after the deadline.
 * @param deadline in Unix milliseconds
 * @returns the last result
 */
export async function readUntil<Result>(
  deadline: number,
  read: () => Promise<Result>,
  isComplete: (result: Result) => boolean,
): Promise<Result> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
    const result = await read();
    if (isComplete(result) || Date.now() + pauseMs > deadline) return result;
    await sleep(pauseMs);
  }
}
