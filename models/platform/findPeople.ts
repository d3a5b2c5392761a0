/** People across all organizations, for platform admins. */
import type { Page, PageRequest } from '../database/page.js';
import { firstJson } from '../database/rows.js';
import { shownEmail } from '../identity/deletion/erased.js';
import { searchKey, startingWith } from '../organizations/search.js';
import { selectUsersPage } from './selectUsersPage.js';

export interface PersonRow {
  id: string;
  /** Null for a deleted account. */
  email: string | null;
  first_name: string;
  last_name: string;
  is_platform_admin: boolean;
  is_disabled: boolean;
  must_change_password: boolean;
  created_at: string;
  /** Organizations to which the person currently has access, by name. */
  organizations: { id: string; name: string; slug: string }[];
}

const COLUMNS = `u.id, ${shownEmail('u')} AS email, u.first_name, u.last_name, u.is_platform_admin, u.disabled_at IS NOT NULL AS is_disabled,
  u.must_change_password, u.created_at,
  (SELECT coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'slug', o.slug) ORDER BY o.name, o.id), '[]')
     FROM organizations o
    WHERE o.id IN (SELECT a.organization_id FROM affiliations a WHERE a.user_id = u.id)) AS organizations`;

/**
 * SQL condition: an address, or a name in either order, begins with $1. With collation "C", an index can serve each
 * part.
 */
const MATCHES = `u.id IN (
  SELECT id FROM users WHERE email COLLATE "C" LIKE $1
  UNION ALL SELECT user_id FROM user_emails WHERE email COLLATE "C" LIKE $1
  UNION ALL SELECT id FROM users WHERE (${searchKey(`first_name || ' ' || last_name`)}) COLLATE "C" LIKE $1
  UNION ALL SELECT id FROM users WHERE (${searchKey(`last_name || ' ' || first_name`)}) COLLATE "C" LIKE $1)`;

/**
 * Finds people whose address or name (first or last name first) begins with the search text, ordered by address, in one
 * statement.
 * @param search if absent, all people are listed
 * @throws Refusal page_not_found
 */
export const findPeople = ({
  search,
  ...page
}: PageRequest & { search: string | undefined }): Promise<Page<PersonRow>> =>
  selectUsersPage<PersonRow>({
    // Leaves out placeholders, which have no address of their own.
    where: `u.email IS NOT NULL AND ${search === undefined ? 'true' : MATCHES}`,
    values: search === undefined ? [] : [startingWith(search)],
    select: COLUMNS,
    ...page,
  });

export const readPerson = (id: string): Promise<PersonRow | null> =>
  firstJson<PersonRow>(`SELECT ${COLUMNS} FROM users u WHERE u.id = $1 AND u.email IS NOT NULL`, [id]);
