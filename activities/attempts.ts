/**
 * Counts the attempts of a step. When an operator resets a step, Temporal counts its attempts from one again, so the
 * step carries its own count in its heartbeats.
 */
import { activityInfo, heartbeat } from '@temporalio/activity';

/** Returns the number of earlier attempts of this step. */
export function previousAttempts(): number {
  const { attempt, heartbeatDetails } = activityInfo();
  return Math.max(attempt - 1, typeof heartbeatDetails === 'number' ? heartbeatDetails : 0);
}

/** Sends a heartbeat with the number of this attempt. Local activities have no heartbeats. */
export function heartbeatAttempt(): void {
  if (!activityInfo().isLocal) heartbeat(previousAttempts() + 1);
}
