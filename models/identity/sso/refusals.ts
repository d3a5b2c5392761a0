/** Refused sign-ins: a line in the log for operators, a row for the organization's admins. Neither says whose it was. */
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';
import { log } from '../../log.js';
import type { RefusalReason } from './errors.js';

const KEPT_DAYS = 30;
/** Of one reason at one connection: whoever sends rubbish fills no table, and hides no other reason. */
const MOST_AN_HOUR = 20;
const CLEARED_AT_ONCE = 100;
const LONGEST_DETAIL = 100;

export interface Refusal {
  /** Left out: of no connection that we know; such ones are in the log alone. */
  connectionId?: string | undefined;
  reason: RefusalReason;
  /** Which check it was, in a word of ours. */
  detail?: string | undefined;
  requestId: string;
}

/** In transactions of its own, and never rejects: the person goes on to the callback whatever becomes of the record. */
export async function recordRefusal(refusal: Refusal): Promise<void> {
  const { connectionId, reason, detail, requestId } = refusal;
  const told = { part: 'sso', requestId, connectionId, code: reason, detail };
  try {
    const organizationId = connectionId && (await organizationOf(connectionId));
    log.warn({ ...told, organizationId }, 'A sign-in was refused');
    if (organizationId) await inTenant(organizationId, () => store(refusal));
  } catch (error) {
    log.error({ err: error, ...told }, 'a refused sign-in could not be recorded');
  }
}

/** A connection stays with its organization. */
const organizations = new Map<string, string>();
const MOST_KNOWN = 10_000;

async function organizationOf(connectionId: string): Promise<string | undefined> {
  const known = organizations.get(connectionId);
  if (known) return known;
  const find = () =>
    firstRow<{ organization_id: string }>('SELECT organization_id FROM sso_connections WHERE id = $1', [connectionId]);
  const found = (await inPlatform(find, { readOnly: true }))?.organization_id;
  if (organizations.size >= MOST_KNOWN) organizations.clear();
  if (found) organizations.set(connectionId, found);
  return found;
}

const store = ({ connectionId, reason, detail, requestId }: Refusal): Promise<unknown> =>
  rows(
    `WITH old AS (
       DELETE FROM sso_refusals WHERE organization_id = $1 AND id IN (SELECT id FROM sso_refusals
          WHERE organization_id = $1 AND created_at < now() - $6 * interval '1 day'
          ORDER BY created_at LIMIT ${CLEARED_AT_ONCE}))
     INSERT INTO sso_refusals (organization_id, connection_id, reason, detail, request_id)
     SELECT c.organization_id, c.id, $3, $4, $5 FROM sso_connections c
      WHERE c.organization_id = $1 AND c.id = $2 AND (SELECT count(*) FROM (
        SELECT FROM sso_refusals WHERE organization_id = $1 AND connection_id = $2 AND reason = $3
           AND created_at > now() - interval '1 hour' LIMIT ${MOST_AN_HOUR}) recent) < ${MOST_AN_HOUR}`,
    [currentOrganization(), connectionId, reason, detail?.slice(0, LONGEST_DETAIL) || null, requestId, KEPT_DAYS],
  );

export interface RefusalRow {
  id: string;
  /** ISO text. */
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

/** Of the tenant, the newest first, in one statement. @throws Refusal page_not_found */
export const listRefusals = ({ connection, reason, ...page }: RefusalList): Promise<Page<RefusalRow>> =>
  selectPage<RefusalRow>({
    from: 'sso_refusals r',
    where: `r.organization_id = $1 AND r.created_at > now() - $2 * interval '1 day'
      AND ($3::uuid IS NULL OR r.connection_id = $3) AND ($4::text IS NULL OR r.reason = $4)`,
    values: [currentOrganization(), KEPT_DAYS, connection ?? null, reason ?? null],
    orderBy: 'r.created_at DESC',
    key: 'r.id',
    select: `r.id, r.created_at, json_build_object('id', c.id, 'name', c.name, 'slug', c.slug, 'kind', c.kind) AS connection,
      r.reason, r.detail, r.request_id`,
    join: 'JOIN sso_connections c ON c.organization_id = r.organization_id AND c.id = r.connection_id',
    ...page,
  });
