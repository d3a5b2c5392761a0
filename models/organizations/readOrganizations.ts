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

const ORGANIZATION_BY_ID = `SELECT ${COLUMNS} FROM organizations o WHERE o.id = $1`;

/** Returns one organization, in one statement. The caller has checked that it may be read. */
export const readOrganization = (id: string): Promise<OrganizationRow | null> =>
  firstJson<OrganizationRow>(ORGANIZATION_BY_ID, [id]);

/** Returns the statement that reads one organization as JSON text; it has at most one row. */
export const organizationJsonStatement = (id: string): Statement => ({
  text: `SELECT to_json(found)::text AS json FROM (${ORGANIZATION_BY_ID}) found`,
  values: [id],
  prepared: true,
});

export interface OrganizationList extends PageRequest {
  /** Lists only organizations to which this person has access; null: all organizations. */
  userId: string | null;
  /** The only organization that the session may see; null without such a limit. */
  onlyId: string | null;
  isActive: boolean | undefined;
  /** Whether the organization has no administrator. */
  withoutAdmin: boolean | undefined;
  search: string | undefined;
  orderBy: string;
}

/** Lists organizations in one statement. @throws Refusal page_not_found */
export async function listOrganizations(list: OrganizationList): Promise<Page<OrganizationRow>> {
  const { userId, onlyId, isActive, withoutAdmin, search, orderBy, page, pageSize } = list;
  const filteredOrganizations = `FROM organizations o
    WHERE ($1::uuid IS NULL OR (o.is_active AND o.id IN (SELECT organization_id FROM affiliations WHERE user_id = $1)))
      AND ($6::uuid IS NULL OR o.id = $6)
      AND ($2::boolean IS NULL OR o.is_active = $2)
      AND ($7::boolean IS NULL OR $7 = (o.id IN (SELECT app.organizations_without_admin())))
      AND ($3::text IS NULL OR ${anyLike(['o.name'], '$3')} OR o.slug LIKE $3)`;
  const organizations = await oneRow<Page<OrganizationRow>>(
    `SELECT (SELECT count(*)::int ${filteredOrganizations}) AS count,
            (SELECT coalesce(json_agg(r), '[]') FROM (
               SELECT ${COLUMNS} ${filteredOrganizations} ORDER BY ${orderBy}, o.id LIMIT $4 OFFSET $5) r) AS results`,
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
  requirePage(page, organizations.results);
  return organizations;
}
