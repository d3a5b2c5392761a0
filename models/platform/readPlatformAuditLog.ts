import { keysetPages } from '../database/keysetPages.js';
import { type Page, type PageRequest, selectPlatformPage } from '../database/page.js';
import { oneRow } from '../database/rows.js';
import { inPlatform } from '../database/tenancy.js';
import { shownEmail } from '../identity/deletion/erased.js';
import { type AuditLogFilters, type AuditLogRow, EXPORT_PAGE_SIZE } from '../organizations/readAuditLog.js';

export interface PlatformAuditLogRow extends Omit<AuditLogRow, 'ip_address' | 'erased'> {
  /** The changed organization; null for changes in none. */
  organization: string | null;
}

/** Returns what to read for these filters, with its bound values. */
function queryOf({ actor, action, subjectType, subjectId, requestId, since, until }: AuditLogFilters) {
  return {
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
  };
}

/** Lists entries of the platform's log in one statement, newest first. @throws Refusal page_not_found */
export const readPlatformAuditLog = (filters: AuditLogFilters, page: PageRequest): Promise<Page<PlatformAuditLogRow>> =>
  selectPlatformPage<PlatformAuditLogRow>({ ...queryOf(filters), ...page });

/** Yields pages of entries, newest first. Each page is read in a read-only transaction of its own. */
export const exportPlatformAuditLog = (filters: AuditLogFilters): AsyncGenerator<PlatformAuditLogRow[]> =>
  keysetPages((before) => inPlatform(() => readNextEntries(filters, before), { readOnly: true }), EXPORT_PAGE_SIZE);

/** Reads the entries that follow the entry `before`. */
async function readNextEntries(filters: AuditLogFilters, before: string | null): Promise<PlatformAuditLogRow[]> {
  const { from, where, values, orderBy, select } = queryOf(filters);
  const { entries } = await oneRow<{ entries: PlatformAuditLogRow[] }>(
    `SELECT coalesce(json_agg(one), '[]') AS entries FROM (
       SELECT ${select} FROM ${from} WHERE ${where} AND ($8::uuid IS NULL OR a.id < $8)
        ORDER BY ${orderBy} LIMIT ${EXPORT_PAGE_SIZE}) one`,
    [...values, before],
  );
  return entries;
}
