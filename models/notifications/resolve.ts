import { currentOrganization, rows } from '../database/rows.js';
import { announceRead } from './realtime/announcements.js';

/**
 * Somebody has done what others were asked to do as well: for all of them it is read and dealt with, and what was still to
 * reach them does not.
 */
export async function resolveNotifications(subjectType: string, subjectId: string): Promise<void> {
  const resolved = await rows<{ user: string; ids: string[] }>(
    'SELECT "user", ids FROM app.resolve_notifications($1, $2, ARRAY[$3]::uuid[])',
    [currentOrganization(), subjectType, subjectId],
  );
  for (const { user, ids } of resolved) announceRead(user, ids);
}
