import { type Page, type PageRequest, requirePage } from '../database/page.js';
import { firstJson, oneRow, type Statement } from '../database/rows.js';
import { anyLike, containing } from './search.js';

export interface OrganizationRow {
  id: string;
  name: string;
  slug: string;
  org_type: string;
  is_active: boolean;
  primary_color: string | null;
  accepts_account_requests: boolean;
  listed: boolean;
  name_check_threshold: number;
  officers_add_members: 'directly' | 'by_request';
  timezone: string;
  impersonation_notices: boolean;
  version: number;
  created_at: string;
  updated_at: string;
}

const COLUMNS = `o.id, o.name, o.slug, o.org_type, o.is_active, o.primary_color, o.accepts_account_requests,
  o.listed, o.name_check_threshold, o.officers_add_members, o.timezone, o.impersonation_notices, o.version,
  o.created_at, o.updated_at`;

const ONE = `SELECT ${COLUMNS} FROM organizations o WHERE o.id = $1`;

/** One organization, in one statement. The caller has settled that it may be seen. */
export const readOrganization = (id: string): Promise<OrganizationRow | null> => firstJson<OrganizationRow>(ONE, [id]);

/** The statement whose one row, if any, has it as JSON text. */
export const organizationText = (id: string): Statement => ({
  text: `SELECT to_json(found)::text AS json FROM (${ONE}) found`,
  values: [id],
  kept: true,
});

export interface OrganizationList extends PageRequest {
  /** Whose organizations: those that let this person in. Null for all there are. */
  userId: string | null;
  /** The one that a session may not look out of; null when it may. */
  onlyId: string | null;
  isActive: boolean | undefined;
  /** Whether nobody administers them. */
  withoutAdmin: boolean | undefined;
  search: string | undefined;
  orderBy: string;
}

/** In one statement. @throws Refusal page_not_found */
export async function listOrganizations(list: OrganizationList): Promise<Page<OrganizationRow>> {
  const { userId, onlyId, isActive, withoutAdmin, search, orderBy, page, pageSize } = list;
  const chosen = `FROM organizations o
    WHERE ($1::uuid IS NULL OR (o.is_active AND o.id IN (SELECT organization_id FROM affiliations WHERE user_id = $1)))
      AND ($6::uuid IS NULL OR o.id = $6)
      AND ($2::boolean IS NULL OR o.is_active = $2)
      AND ($7::boolean IS NULL OR $7 = (o.id IN (SELECT app.organizations_without_admin())))
      AND ($3::text IS NULL OR ${anyLike(['o.name'], '$3')} OR o.slug LIKE $3)`;
  const found = await oneRow<Page<OrganizationRow>>(
    `SELECT (SELECT count(*)::int ${chosen}) AS count,
            (SELECT coalesce(json_agg(r), '[]') FROM (
               SELECT ${COLUMNS} ${chosen} ORDER BY ${orderBy}, o.id LIMIT $4 OFFSET $5) r) AS results`,
    [
      userId,
      isActive ?? null,
      search ? containing(search) : null,
      pageSize,
      (page - 1) * pageSize,
      onlyId,
      withoutAdmin ?? null,
    ],
  );
  requirePage(page, found.results);
  return found;
}
