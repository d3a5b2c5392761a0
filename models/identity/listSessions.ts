/** A person's own sessions. */
import type { Page, PageRequest } from '../database/page.js';
import { oneRow } from '../database/rows.js';
import { refuse } from '../errors.js';

export interface SessionRow {
  id: string;
  client: 'web' | 'native';
  user_agent: string | null;
  ip_address: string | null;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
}

/** Those that have not ended, the last seen first, in one statement. @throws Refusal page_not_found */
export async function listSessions(userId: string, { page, pageSize }: PageRequest): Promise<Page<SessionRow>> {
  const live = 'user_id = $1 AND revoked_at IS NULL AND expires_at > now()';
  const found = await oneRow<Page<SessionRow>>(
    `SELECT (SELECT count(*)::int FROM sessions WHERE ${live}) AS count,
            (SELECT coalesce(json_agg(r), '[]') FROM (
               SELECT id, client, user_agent, ip_address, created_at, last_seen_at, expires_at
                 FROM sessions WHERE ${live} ORDER BY last_seen_at DESC, id DESC LIMIT $2 OFFSET $3) r) AS results`,
    [userId, pageSize, (page - 1) * pageSize],
  );
  if (page > 1 && found.results.length === 0) throw refuse.page_not_found();
  return found;
}
