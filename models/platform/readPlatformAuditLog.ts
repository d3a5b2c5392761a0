import { type Page, selectPlatformPage } from '../database/page.js';
import { shownEmail } from '../identity/deletion/erased.js';
import type { AuditLogFilters, AuditLogRow } from '../organizations/readAuditLog.js';

export interface PlatformAuditLogRow extends Omit<AuditLogRow, 'ip_address' | 'erased'> {
  /** The changed organization; null for changes in none. */
  organization: string | null;
}

/** Lists entries of the platform's log in one statement, newest first. @throws Refusal page_not_found */
export const readPlatformAuditLog = ({
  actor,
  action,
  subjectType,
  subjectId,
  requestId,
  since,
  until,
  ...page
}: AuditLogFilters): Promise<Page<PlatformAuditLogRow>> =>
  selectPlatformPage<PlatformAuditLogRow>({
    from: 'platform_audit_log a',
    where: `($1::uuid IS NULL OR a.actor_user_id = $1) AND ($2::text IS NULL OR a.action = $2)
      AND ($3::text IS NULL OR a.subject_type = $3) AND ($4::uuid IS NULL OR a.subject_id = $4)
      AND ($5::text IS NULL OR a.request_id = $5) AND ($6::timestamptz IS NULL OR a.created_at >= $6)
      AND ($7::timestamptz IS NULL OR a.created_at < $7)`,
    values: [actor, action, subjectType, subjectId, requestId, since, until].map((value) => value ?? null),
    orderBy: 'a.id DESC',
    select: `a.id, (SELECT json_build_object('id', u.id, 'email', ${shownEmail('u')}, 'first_name', u.first_name,
        'last_name', u.last_name) FROM users u WHERE u.id = a.actor_user_id) AS actor,
      a.organization_id AS organization, a.action, a.subject_type, a.subject_id, a.request_id, a.before, a.after, a.created_at`,
    ...page,
  });
