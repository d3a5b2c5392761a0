/** What anybody may see of organizations: that they are there, and where their chapters are. */
import { inPlatform, inTenant } from '../database/tenancy.js';
import { currentOrganization, firstRow, rows } from '../database/rows.js';
import { refuse } from '../errors.js';
import { SEARCHED } from './chapters.js';
import { anyLike, containing } from './search.js';

/** A bare array has an end; whoever misses one searches for it. */
export const MOST_LISTED = 1_000;

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

/** Active organizations that let themselves be listed, by name. */
export const listedOrganizations = (search?: string): Promise<ListedOrganization[]> =>
  inPlatform(
    () =>
      rows<ListedOrganization>(
        `SELECT o.name, o.slug, o.org_type, o.primary_color, o.accepts_account_requests FROM organizations o
          WHERE ${LISTED} AND ($1::text IS NULL OR ${anyLike(['o.name'], '$1')} OR o.slug LIKE $1)
          ORDER BY o.name, o.id LIMIT ${MOST_LISTED}`,
        [search ? containing(search) : null],
      ),
    { readOnly: true },
  );

/** Active chapters of one of them, by name. @throws Refusal not_found, the same whyever */
export async function listedChapters(
  slug: string,
  { state, search }: { state?: string | undefined; search?: string | undefined },
): Promise<ListedChapter[]> {
  const organization = await inPlatform(
    () => firstRow<{ id: string }>(`SELECT o.id FROM organizations o WHERE o.slug = $1 AND ${LISTED}`, [slug]),
    { readOnly: true },
  );
  if (!organization) throw refuse.not_found();
  const wanted = [state ?? null, search ? containing(search) : null];
  return inTenant(organization.id, () => chaptersOf(wanted), { readOnly: true });
}

const chaptersOf = (wanted: unknown[]): Promise<ListedChapter[]> =>
  rows<ListedChapter>(
    `SELECT id, name, designation, university, city, state FROM chapters
      WHERE organization_id = $1 AND status = 'active' AND ($2::text IS NULL OR lower(state) = lower($2))
        AND ($3::text IS NULL OR ${anyLike(SEARCHED, '$3')})
      ORDER BY name, id LIMIT ${MOST_LISTED}`,
    [currentOrganization(), ...wanted],
  );
