import { keysetPages } from '../database/keysetPages.js';
import { type Page, type PageRequest, selectPage } from '../database/page.js';
import { currentOrganization, oneRow } from '../database/rows.js';
import { inTenant } from '../database/tenancy.js';
import { shownEmail } from '../identity/deletion/erased.js';

export interface AuditLogRow {
  id: string;
  /** The person who acted; null for actions of the platform itself. */
  actor: { id: string; email: string | null; first_name: string; last_name: string } | null;
  action: string;
  subject_type: string;
  subject_id: string | null;
  request_id: string | null;
  ip_address: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  /**
   * Whether the entry contained values of an erased person. Such values are deleted, but the names of the fields stay.
   */
  erased: boolean;
  created_at: string;
}

export interface AuditLogFilters {
  actor?: string | undefined;
  action?: string | undefined;
  subjectType?: string | undefined;
  subjectId?: string | undefined;
  requestId?: string | undefined;
  /** Start of the time span, inclusive. */
  since?: string | undefined;
  /** End of the time span, exclusive. */
  until?: string | undefined;
}

/** Entries per page of an export: two pages are in memory. */
export const EXPORT_PAGE_SIZE = 1_000;

const SELECT = `a.id, CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'email', ${shownEmail('u')},
    'first_name', u.first_name, 'last_name', u.last_name) END AS actor,
  a.action, a.subject_type, a.subject_id, a.request_id, coalesce(a.ip_address, v.ip_address) AS ip_address,
  a.before || coalesce(v.before, '{}') AS before, a.after || coalesce(v.after, '{}') AS after,
  v.people < a.people AS erased, a.created_at`;
const JOIN = `LEFT JOIN users u ON u.id = a.actor_user_id CROSS JOIN LATERAL (
  SELECT count(*) AS people, max(ip_address) AS ip_address,
         (array_agg(before) FILTER (WHERE before IS NOT NULL))[1] AS before,
         (array_agg(after) FILTER (WHERE after IS NOT NULL))[1] AS after
    FROM audit_values WHERE organization_id = a.organization_id AND entry_id = a.id) v`;

/** Returns the WHERE clause of the filters, with its bound values. */
function whereOf(filters: AuditLogFilters): { where: string; values: unknown[] } {
  const { actor, action, subjectType, subjectId, requestId, since, until } = filters;
  return {
    where: `a.organization_id = $1 AND ($2::uuid IS NULL OR a.actor_user_id = $2) AND ($3::text IS NULL OR a.action = $3)
      AND ($4::text IS NULL OR a.subject_type = $4) AND ($5::uuid IS NULL OR a.subject_id = $5)
      AND ($6::text IS NULL OR a.request_id = $6) AND ($7::timestamptz IS NULL OR a.created_at >= $7)
      AND ($8::timestamptz IS NULL OR a.created_at < $8)`,
    values: [currentOrganization(), actor, action, subjectType, subjectId, requestId, since, until].map(
      (value) => value ?? null,
    ),
  };
}

/** Lists entries in one statement, newest first (ids are in order of time). @throws Refusal page_not_found */
export const readAuditLog = (filters: AuditLogFilters, page: PageRequest): Promise<Page<AuditLogRow>> =>
  selectPage<AuditLogRow>({
    from: 'audit_log a',
    ...whereOf(filters),
    orderBy: 'a.id DESC',
    key: 'a.id',
    select: SELECT,
    join: JOIN,
    ...page,
  });

/** Yields pages of entries, newest first. Each page is read in a read-only transaction of its own. */
export const exportAuditLog = (
  organizationId: string,
  filters: AuditLogFilters,
  pageSize = EXPORT_PAGE_SIZE,
): AsyncGenerator<AuditLogRow[]> =>
  keysetPages(
    (before) => inTenant(organizationId, () => readNextEntries(filters, before, pageSize), { readOnly: true }),
    pageSize,
  );

/** Reads the entries that follow the entry `before`. Only their values are joined. */
async function readNextEntries(filters: AuditLogFilters, before: string | null, limit: number): Promise<AuditLogRow[]> {
  const { where, values } = whereOf(filters);
  const { entries } = await oneRow<{ entries: AuditLogRow[] }>(
    `SELECT coalesce(json_agg(one), '[]') AS entries FROM (
       SELECT ${SELECT}
         FROM (SELECT a.* FROM audit_log a WHERE ${where} AND ($9::uuid IS NULL OR a.id < $9)
                ORDER BY a.id DESC LIMIT ${limit}) a
         ${JOIN} ORDER BY a.id DESC) one`,
    [...values, before],
  );
  return entries;
}
