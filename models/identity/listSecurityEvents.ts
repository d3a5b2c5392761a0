/** What happened to a person's account, as they see it. */
import { type Page, type PageRequest, selectPlatformPage } from '../database/page.js';

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
export function listSecurityEvents(
  userId: string,
  kind: string | null,
  request: PageRequest,
): Promise<Page<SecurityEventRow>> {
  return selectPlatformPage<SecurityEventRow>({
    ...request,
    from: 'security_events',
    where: 'user_id = $1 AND ($2::text IS NULL OR kind = $2)',
    values: [userId, kind],
    orderBy: 'id DESC',
    select:
      'id, kind, organization_id AS organization, session_id AS session, ip_address, user_agent, details, created_at',
  });
}
