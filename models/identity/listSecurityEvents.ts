/** Lists the security events of a person's account for that person. */
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

interface SecurityEventFilter {
  /** Only events of this kind; null for all. */
  kind: string | null;
  /** Only events in this organization; null for all. */
  organizationId: string | null;
}

/**
 * Lists the events, the newest first, in one statement.
 * @throws Refusal page_not_found
 */
export function listSecurityEvents(
  userId: string,
  { kind, organizationId, ...request }: SecurityEventFilter & PageRequest,
): Promise<Page<SecurityEventRow>> {
  return selectPlatformPage<SecurityEventRow>({
    ...request,
    from: 'security_events',
    where: 'user_id = $1 AND ($2::text IS NULL OR kind = $2) AND ($3::uuid IS NULL OR organization_id = $3)',
    values: [userId, kind, organizationId],
    orderBy: 'id DESC',
    select:
      'id, kind, organization_id AS organization, session_id AS session, ip_address, user_agent, details, created_at',
  });
}
