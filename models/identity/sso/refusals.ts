/**
 * Records refused sign-ins: a log line for operators, and a row for the organization's admins. Neither names the
 * person.
 */
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';
import { log } from '../../log.js';
import type { RefusalReason } from './errors.js';

const RETENTION_DAYS = 30;
/**
 * Maximum number of refusals recorded per hour for one connection and reason. An attacker can therefore neither fill
 * the table nor hide refusals for other reasons.
 */
const MAX_PER_HOUR = 20;
const CLEANUP_BATCH_SIZE = 100;
const MAX_DETAIL_LENGTH = 100;

export interface SignInRefusal {
  /** Absent when the connection is unknown. Such a refusal is logged but not stored. */
  connectionId?: string | undefined;
  reason: RefusalReason;
  /** The check that failed, as one of our codes. */
  detail?: string | undefined;
  requestId: string;
}

/**
 * Records a refusal in its own transactions. Never throws, because the person must be redirected to the callback even
 * if recording fails.
 */
export async function recordRefusal(refusal: SignInRefusal): Promise<void> {
  const { connectionId, reason, detail, requestId } = refusal;
  const logFields = { part: 'sso', requestId, connectionId, code: reason, detail };
  try {
    const organizationId = connectionId && (await findOrganizationId(connectionId));
    log.warn({ ...logFields, organizationId }, 'A sign-in was refused');
    if (organizationId) await inTenant(organizationId, () => insertRefusal(refusal));
  } catch (error) {
    log.error({ err: error, ...logFields }, 'a refused sign-in could not be recorded');
  }
}

/** Caches the organization of each connection, which never changes. */
const organizationCache = new Map<string, string>();
const MAX_CACHED = 10_000;

async function findOrganizationId(connectionId: string): Promise<string | undefined> {
  const cached = organizationCache.get(connectionId);
  if (cached) return cached;
  const find = () =>
    firstRow<{ organization_id: string }>('SELECT organization_id FROM sso_connections WHERE id = $1', [connectionId]);
  const organizationId = (await inPlatform(find, { readOnly: true }))?.organization_id;
  if (organizationCache.size >= MAX_CACHED) organizationCache.clear();
  if (organizationId) organizationCache.set(connectionId, organizationId);
  return organizationId;
}

const insertRefusal = ({ connectionId, reason, detail, requestId }: SignInRefusal): Promise<unknown> =>
  rows(
    `WITH old AS (
       DELETE FROM sso_refusals WHERE organization_id = $1 AND id IN (SELECT id FROM sso_refusals
          WHERE organization_id = $1 AND created_at < now() - $6 * interval '1 day'
          ORDER BY created_at LIMIT ${CLEANUP_BATCH_SIZE}))
     INSERT INTO sso_refusals (organization_id, connection_id, reason, detail, request_id)
     SELECT c.organization_id, c.id, $3, $4, $5 FROM sso_connections c
      WHERE c.organization_id = $1 AND c.id = $2 AND (SELECT count(*) FROM (
        SELECT FROM sso_refusals WHERE organization_id = $1 AND connection_id = $2 AND reason = $3
           AND created_at > now() - interval '1 hour' LIMIT ${MAX_PER_HOUR}) recent) < ${MAX_PER_HOUR}`,
    [
      currentOrganization(),
      connectionId,
      reason,
      detail?.slice(0, MAX_DETAIL_LENGTH) || null,
      requestId,
      RETENTION_DAYS,
    ],
  );

export interface RefusalRow {
  id: string;
  /** Moment as ISO text. */
  created_at: string;
  connection: { id: string; name: string; slug: string; kind: 'saml' | 'oauth' };
  reason: RefusalReason;
  detail: string | null;
  request_id: string;
}

export interface RefusalList extends PageRequest {
  connection?: string | undefined;
  reason?: RefusalReason | undefined;
}

/**
 * Lists the tenant's refusals, the newest first, in one statement.
 * @throws Refusal page_not_found
 */
export const listRefusals = ({ connection, reason, ...page }: RefusalList): Promise<Page<RefusalRow>> =>
  selectPage<RefusalRow>({
    from: 'sso_refusals r',
    where: `r.organization_id = $1 AND r.created_at > now() - $2 * interval '1 day'
      AND ($3::uuid IS NULL OR r.connection_id = $3) AND ($4::text IS NULL OR r.reason = $4)`,
    values: [currentOrganization(), RETENTION_DAYS, connection ?? null, reason ?? null],
    orderBy: 'r.created_at DESC',
    key: 'r.id',
    select: `r.id, r.created_at, json_build_object('id', c.id, 'name', c.name, 'slug', c.slug, 'kind', c.kind) AS connection,
      r.reason, r.detail, r.request_id`,
    join: 'JOIN sso_connections c ON c.organization_id = r.organization_id AND c.id = r.connection_id',
    ...page,
  });
