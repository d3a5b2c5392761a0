import { firstRow, rows } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';
import { DUE_SOON_DAYS, IS_DUE_SOON, IS_MORNING, isOverdueSql, LOCAL_DAY_SQL } from './localDay.js';

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
 * One page of active organizations, reduced to those that have something to mark, or to be reminded of, by their own date.
 * Whoever has nothing to do gets no process: that this runs hourly costs them one indexed look.
 */
export async function organizationsToMark(after: string | null): Promise<OrganizationPage> {
  const page = await inPlatform(() =>
    rows<OrganizationDay>(
      `WITH page AS (SELECT id, timezone FROM organizations WHERE is_active AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2)
       SELECT o.id AS "organizationId", to_char(${LOCAL_DAY_SQL}, 'YYYY-MM-DD') AS day FROM page o ORDER BY o.id`,
      [after, PAGE],
    ),
  );
  const organizations: OrganizationDay[] = [];
  for (const candidate of page) if (await hasSomething(candidate)) organizations.push(candidate);
  return { organizations, next: page.length === PAGE ? (page.at(-1)?.organizationId ?? null) : null };
}

/** Asked inside the tenant: no role of the running platform sees the invoices of all. */
const hasSomething = ({ organizationId, day }: OrganizationDay): Promise<boolean> =>
  inTenant(
    organizationId,
    async () =>
      (await firstRow(
        `SELECT 1 FROM chapter_invoices i WHERE i.organization_id = $1 AND ${isOverdueSql(2)}
          UNION ALL
         SELECT 1 FROM organizations o CROSS JOIN LATERAL (SELECT $2::date AS today, ${DUE_SOON_DAYS} AS days) l
           JOIN chapter_invoices i ON i.organization_id = o.id WHERE o.id = $1 AND ${IS_MORNING} AND ${IS_DUE_SOON}
          LIMIT 1`,
        [organizationId, day],
      )) !== null,
    { readOnly: true },
  );
