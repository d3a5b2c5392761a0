/** Heartbeats while a step runs, so that a killed worker is noticed within seconds and not at the step's timeout. */
import { heartbeatAttempt } from './attempts.js';

const HEARTBEAT_INTERVAL_MS = 2_000;

export async function withHeartbeats<T>(step: () => Promise<T>): Promise<T> {
  const timer = setInterval(heartbeatAttempt, HEARTBEAT_INTERVAL_MS);
  try {
    return await step();
  } finally {
    clearInterval(timer);
  }
}
