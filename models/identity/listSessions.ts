/** A person's sessions. */
import { type Page, type PageRequest, selectPlatformPage } from '../database/page.js';
import type { AuthMethod } from './Actor.js';

export interface SessionRow {
  id: string;
  client: 'web' | 'native';
  user_agent: string | null;
  ip_address: string | null;
  /** In which it acts; null for platform admins. */
  organization: string | null;
  auth_method: AuthMethod;
  /** null: the identity provider did not say. */
  auth_time: string | null;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
}

export interface SessionList extends PageRequest {
  userId: string;
  /** Only those that act there; null for all. */
  organizationId: string | null;
}

/** Those that have not ended, the last seen first, in one statement. @throws Refusal page_not_found */
export function listSessions({ userId, organizationId, page, pageSize }: SessionList): Promise<Page<SessionRow>> {
  return selectPlatformPage<SessionRow>({
    from: 'sessions',
    where: `user_id = $1 AND revoked_at IS NULL AND expires_at > now()
      -- an admin who sees what they see is told in their log
      AND impersonation_id IS NULL AND ($2::uuid IS NULL OR organization_id = $2)`,
    values: [userId, organizationId],
    orderBy: 'last_seen_at DESC, id DESC',
    select: `id, client, user_agent, ip_address, organization_id AS organization, auth_method, nullif(auth_time, 'epoch') AS auth_time,
      created_at, last_seen_at, expires_at`,
    page,
    pageSize,
  });
}
