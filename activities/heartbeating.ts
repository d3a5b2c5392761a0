/** Heartbeats while a step runs, so that a killed worker is noticed in seconds and not at the step's time-out. */
import { activityInfo, heartbeat } from '@temporalio/activity';

const EVERY_MS = 2_000;

/** Runs a step. @param step is told how many tries came before this one */
export async function heartbeating<T>(step: (previousTries: number) => Promise<T>): Promise<T> {
  const timer = setInterval(() => heartbeat(), EVERY_MS);
  try {
    return await step(activityInfo().attempt - 1);
  } finally {
    clearInterval(timer);
  }
}
