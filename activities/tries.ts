/**
 * Counts the tries of a step. An operator's reset restarts Temporal's own count, so the step carries its count in its
 * heartbeats.
 */
import { activityInfo, heartbeat } from '@temporalio/activity';

/** Number of earlier tries of this step. */
export function triesBefore(): number {
  const { attempt, heartbeatDetails } = activityInfo();
  return Math.max(attempt - 1, typeof heartbeatDetails === 'number' ? heartbeatDetails : 0);
}

/** Heartbeats with the number of this try. A local activity has no heartbeats. */
export function noteTry(): void {
  if (!activityInfo().isLocal) heartbeat(triesBefore() + 1);
}
