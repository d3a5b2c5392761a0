/** Lists the organizations that a person may sign in to. */
import { type Page, type PageRequest, requirePage } from '../database/page.js';
import { oneRow } from '../database/rows.js';
import type { AccountOrganization } from './accounts.js';

export interface OwnOrganization extends AccountOrganization {
  kinds: ('member' | 'organization_admin' | 'regional_admin')[];
}

export interface OwnOrganizationList extends PageRequest {
  userId: string;
  /** The organization that a confined session is limited to; null for all. */
  onlyId: string | null;
}

/**
 * Lists the organizations by name, in one statement.
 * @throws Refusal page_not_found
 */
export async function listOwnOrganizations(list: OwnOrganizationList): Promise<Page<OwnOrganization>> {
  const { userId, onlyId, page, pageSize } = list;
  const own = `FROM affiliations a JOIN organizations o ON o.id = a.organization_id
    WHERE a.user_id = $1 AND o.is_active AND ($2::uuid IS NULL OR o.id = $2)`;
  const result = await oneRow<Page<OwnOrganization>>(
    `SELECT (SELECT count(DISTINCT o.id)::int ${own}) AS count,
            (SELECT coalesce(json_agg(r), '[]') FROM (
               SELECT o.id, o.name, o.slug, array_agg(a.kind ORDER BY a.kind) AS kinds
                 ${own} GROUP BY o.id ORDER BY o.name, o.id LIMIT $3 OFFSET $4) r) AS results`,
    [userId, onlyId, pageSize, (page - 1) * pageSize],
  );
  requirePage(page, result.results);
  return result;
}
