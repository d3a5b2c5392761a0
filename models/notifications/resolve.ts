import { currentOrganization, rows } from '../database/rows.js';
import { announceRead } from './realtime/announcements.js';

/**
 * Used when several people could act on a subject and one of them has acted. Marks the notifications of this subject as
 * read and resolved for everybody, and cancels their pending deliveries.
 */
export async function resolveNotifications(subjectType: string, subjectId: string): Promise<void> {
  const resolved = await rows<{ user: string; ids: string[] }>(
    'SELECT "user", ids FROM app.resolve_notifications($1, $2, ARRAY[$3]::uuid[])',
    [currentOrganization(), subjectType, subjectId],
  );
  for (const { user, ids } of resolved) announceRead(user, ids);
}
