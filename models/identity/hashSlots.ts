/** Password hashing takes a whole core and 19 MiB for tens of milliseconds: only so much of it runs at once. */
import { refuse } from '../errors.js';

/** Leaves half of libuv's four threads to files and name look-ups. */
const SLOTS = 2;
/** About three seconds of work; who comes later is told to come back. */
const LONGEST_QUEUE = 100;

let taken = 0;
const waiting: (() => void)[] = [];

/** Runs `work` when a slot is free. @throws Refusal unavailable when too many wait already */
export async function inHashSlot<T>(work: () => Promise<T>): Promise<T> {
  if (taken >= SLOTS) {
    if (waiting.length >= LONGEST_QUEUE) throw refuse.unavailable(undefined, undefined, { 'Retry-After': '5' });
    // The slot is handed over by the one who leaves it, so that nobody slips in between.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else taken += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  }
}
