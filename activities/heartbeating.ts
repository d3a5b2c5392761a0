/** Heartbeats while a step runs, so that a killed worker is noticed within seconds and not at the step's timeout. */
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
