/** The organizations that let a person in. */
import type { Page, PageRequest } from '../database/page.js';
import { oneRow } from '../database/rows.js';
import { refuse } from '../errors.js';
import type { AccountOrganization } from './accounts.js';

export interface OwnOrganization extends AccountOrganization {
  kinds: ('member' | 'organization_admin' | 'regional_admin')[];
}

/** By name, in one statement. @throws Refusal page_not_found */
export async function listOwnOrganizations(
  userId: string,
  { page, pageSize }: PageRequest,
): Promise<Page<OwnOrganization>> {
  const own = `FROM affiliations a JOIN organizations o ON o.id = a.organization_id WHERE a.user_id = $1 AND o.is_active`;
  const found = await oneRow<Page<OwnOrganization>>(
    `SELECT (SELECT count(DISTINCT o.id)::int ${own}) AS count,
            (SELECT coalesce(json_agg(r), '[]') FROM (
               SELECT o.id, o.name, o.slug, array_agg(a.kind ORDER BY a.kind) AS kinds
                 ${own} GROUP BY o.id ORDER BY o.name, o.id LIMIT $2 OFFSET $3) r) AS results`,
    [userId, pageSize, (page - 1) * pageSize],
  );
  if (page > 1 && found.results.length === 0) throw refuse.page_not_found();
  return found;
}
