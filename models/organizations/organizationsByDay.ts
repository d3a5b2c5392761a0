import { rows } from '../database/rows.js';
import { inPlatform, inTenant } from '../database/tenancy.js';

export interface OrganizationDay {
  organizationId: string;
  /** The organization's own date, YYYY-MM-DD. */
  day: string;
}

export interface OrganizationPage {
  organizations: OrganizationDay[];
  /** Where the next page starts; null after the last. */
  next: string | null;
}

const PAGE = 100;

/**
 * One page of active organizations, reduced to those that have something to do by their own date. Whoever has nothing to do
 * gets no process: that a Schedule asks hourly costs them one indexed look.
 * @param hasSomething asked inside the tenant, where it only reads: no role of the running platform sees the rows of all
 */
export async function organizationsByDay(
  after: string | null,
  hasSomething: (one: OrganizationDay) => Promise<boolean>,
): Promise<OrganizationPage> {
  const page = await inPlatform(() =>
    rows<OrganizationDay>(
      `WITH page AS (SELECT id, timezone FROM organizations WHERE is_active AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2)
       SELECT id AS "organizationId", to_char(app.local_day(timezone), 'YYYY-MM-DD') AS day FROM page ORDER BY id`,
      [after, PAGE],
    ),
  );
  const organizations: OrganizationDay[] = [];
  for (const one of page)
    if (await inTenant(one.organizationId, () => hasSomething(one), { readOnly: true })) organizations.push(one);
  return { organizations, next: page.length === PAGE ? (page.at(-1)?.organizationId ?? null) : null };
}
