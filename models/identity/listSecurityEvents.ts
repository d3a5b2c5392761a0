/** What happened to a person's account, as they see it. */
import type { Page, PageRequest } from '../database/page.js';
import { oneRow } from '../database/rows.js';
import { refuse } from '../errors.js';

export interface SecurityEventRow {
  id: string;
  kind: string;
  organization: string | null;
  session: string | null;
  ip_address: string | null;
  user_agent: string | null;
  details: Record<string, unknown>;
  created_at: string;
}

/** The newest first, in one statement. @param kind null: all. @throws Refusal page_not_found */
export async function listSecurityEvents(
  userId: string,
  kind: string | null,
  { page, pageSize }: PageRequest,
): Promise<Page<SecurityEventRow>> {
  const own = 'user_id = $1 AND ($2::text IS NULL OR kind = $2)';
  const found = await oneRow<Page<SecurityEventRow>>(
    `SELECT (SELECT count(*)::int FROM security_events WHERE ${own}) AS count,
            (SELECT coalesce(json_agg(r), '[]') FROM (
               SELECT id, kind, organization_id AS organization, session_id AS session, ip_address, user_agent, details, created_at
                 FROM security_events WHERE ${own} ORDER BY id DESC LIMIT $3 OFFSET $4) r) AS results`,
    [userId, kind, pageSize, (page - 1) * pageSize],
  );
  if (page > 1 && found.results.length === 0) throw refuse.page_not_found();
  return found;
}
