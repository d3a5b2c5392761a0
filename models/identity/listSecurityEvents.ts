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

interface SecurityEventFilter {
  /** null: all. */
  kind: string | null;
  /** Only what happened in it; null: anywhere. */
  organizationId: string | null;
}

/** The newest first, in one statement. @throws Refusal page_not_found */
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
