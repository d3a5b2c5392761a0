/** Public directory of organizations and their active chapters. */
import { inPlatform, inTenant } from '../database/tenancy.js';
import { currentOrganization, firstRow, rows } from '../database/rows.js';
import { refuse } from '../errors.js';
import { SEARCHED_CHAPTER_COLUMNS } from './chapters.js';
import { anyLike, containing } from './search.js';

/** Maximum number of entries in a list without pages. Entries beyond it can be found by a search. */
export const MAX_LISTED = 1_000;

export interface ListedOrganization {
  name: string;
  slug: string;
  org_type: string;
  primary_color: string | null;
  accepts_account_requests: boolean;
}

export interface ListedChapter {
  id: string;
  name: string;
  designation: string | null;
  university: string | null;
  city: string | null;
  state: string | null;
}

const LISTED = 'o.is_active AND o.listed';

/** Lists active organizations that are in the directory, by name. */
export const listPublicOrganizations = (search?: string): Promise<ListedOrganization[]> =>
  inPlatform(
    () =>
      rows<ListedOrganization>(
        `SELECT o.name, o.slug, o.org_type, o.primary_color, o.accepts_account_requests FROM organizations o
          WHERE ${LISTED} AND ($1::text IS NULL OR ${anyLike(['o.name'], '$1')} OR o.slug LIKE $1)
          ORDER BY o.name, o.id LIMIT ${MAX_LISTED}`,
        [search ? containing(search) : null],
      ),
    { readOnly: true },
  );

/**
 * Lists the active chapters of a listed organization, by name. @throws Refusal not_found, which does not reveal the
 * reason
 */
export async function listPublicChapters(
  slug: string,
  { state, search }: { state?: string | undefined; search?: string | undefined },
): Promise<ListedChapter[]> {
  const organization = await inPlatform(
    () => firstRow<{ id: string }>(`SELECT o.id FROM organizations o WHERE o.slug = $1 AND ${LISTED}`, [slug]),
    { readOnly: true },
  );
  if (!organization) throw refuse.not_found();
  const filters = [state ?? null, search ? containing(search) : null];
  return inTenant(organization.id, () => findListedChapters(filters), { readOnly: true });
}

const findListedChapters = (filters: unknown[]): Promise<ListedChapter[]> =>
  rows<ListedChapter>(
    `SELECT id, name, designation, university, city, state FROM chapters
      WHERE organization_id = $1 AND status = 'active' AND ($2::text IS NULL OR lower(state) = lower($2))
        AND ($3::text IS NULL OR ${anyLike(SEARCHED_CHAPTER_COLUMNS, '$3')})
      ORDER BY name, id LIMIT ${MAX_LISTED}`,
    [currentOrganization(), ...filters],
  );
