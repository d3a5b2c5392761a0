/** Heartbeats while a step runs, so that a killed worker is noticed in seconds and not at the step's time-out. */
import { noteTry } from './tries.js';

const EVERY_MS = 2_000;

export async function heartbeating<T>(step: () => Promise<T>): Promise<T> {
  const timer = setInterval(noteTry, EVERY_MS);
  try {
    return await step();
  } finally {
    clearInterval(timer);
  }
}
