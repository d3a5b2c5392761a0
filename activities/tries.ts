/** How often a step was tried: an operator's retry begins Temporal's own count anew, so the step carries it on in its heartbeats. */
import { activityInfo, heartbeat } from '@temporalio/activity';

/** How many tries came before this one. */
export function triesBefore(): number {
  const { attempt, heartbeatDetails } = activityInfo();
  return Math.max(attempt - 1, typeof heartbeatDetails === 'number' ? heartbeatDetails : 0);
}

/** Says that this try is alive, and which one it is. Within the process's task it lives and dies with that. */
export function noteTry(): void {
  if (!activityInfo().isLocal) heartbeat(triesBefore() + 1);
}
