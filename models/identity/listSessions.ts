/** Lists a person's sessions. */
import { shownSql, type ShownRow } from '../database/model/read.js';
import { type Page, type PageRequest, selectPlatformPage } from '../database/page.js';
import { Session } from './Session.js';

export type SessionRow = ShownRow<typeof Session>;

export interface SessionList extends PageRequest {
  userId: string;
  /** Only sessions that act in this organization; null for all. */
  organizationId: string | null;
}

/**
 * Lists the sessions that have not ended, the last seen first, in one statement.
 * @throws Refusal page_not_found
 */
export function listSessions({ userId, organizationId, page, pageSize }: SessionList): Promise<Page<SessionRow>> {
  return selectPlatformPage<SessionRow>({
    from: 'sessions',
    where: `user_id = $1 AND revoked_at IS NULL AND expires_at > now()
      -- Leave out impersonations: the person sees them among their security events.
      AND impersonation_id IS NULL AND ($2::uuid IS NULL OR organization_id = $2)`,
    values: [userId, organizationId],
    orderBy: 'last_seen_at DESC, id DESC',
    select: shownSql(Session),
    page,
    pageSize,
  });
}
