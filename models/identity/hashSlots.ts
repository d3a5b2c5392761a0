/**
 * Limits how many passwords are hashed at the same time. One hash occupies a whole core and 19 MiB for tens of
 * milliseconds.
 */
import { refuse } from '../errors.js';

/** Leaves half of libuv's four threads to file access and DNS look-ups. */
const MAX_CONCURRENT_HASHES = 2;
/**
 * Maximum number of waiting calls: about three seconds of work. Further calls fail with `unavailable` and Retry-After.
 */
const MAX_QUEUE_LENGTH = 100;

let running = 0;
const queue: (() => void)[] = [];

/**
 * Runs `work` when a slot is free.
 * @throws Refusal unavailable when the queue is full
 */
export async function inHashSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_CONCURRENT_HASHES) {
    if (queue.length >= MAX_QUEUE_LENGTH) throw refuse.unavailable(undefined, undefined, { 'Retry-After': '5' });
    // A finished call hands its slot directly to the next waiting call (`running` does not change), so that no newer
    // call takes the slot first.
    await new Promise<void>((resolve) => queue.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    const startNext = queue.shift();
    if (startNext) startNext();
    else running -= 1;
  }
}
