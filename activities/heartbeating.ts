/** Heartbeats while a step runs, so that a killed worker is noticed in seconds and not at the step's time-out. */
import { noteTry, triesBefore } from './tries.js';

const EVERY_MS = 2_000;

/** Runs a step. @param step is told how many tries came before this one */
export async function heartbeating<T>(step: (previousTries: number) => Promise<T>): Promise<T> {
  const timer = setInterval(noteTry, EVERY_MS);
  try {
    return await step(triesBefore());
  } finally {
    clearInterval(timer);
  }
}
