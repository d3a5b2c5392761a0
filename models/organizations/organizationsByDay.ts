import { rows } from '../database/rows.js';
import { inPlatform, inTenant } from '../database/tenancy.js';

export interface OrganizationDay {
  organizationId: string;
  /** The organization's own date, YYYY-MM-DD. */
  day: string;
}

export interface OrganizationBatch {
  organizations: OrganizationDay[];
  /** Id after which the next batch starts; null after the last batch. */
  next: string | null;
}

const BATCH_SIZE = 100;

/**
 * Returns those organizations of one batch of active organizations that have something due on their own date, so that
 * the hourly Schedule starts workflows only for them. The check costs one indexed query per organization.
 * @param isDue read-only check that runs inside each tenant, because no database role of the running platform sees the
 * rows of all tenants
 */
export async function organizationsByDay(
  after: string | null,
  isDue: (one: OrganizationDay) => Promise<boolean>,
): Promise<OrganizationBatch> {
  const batch = await inPlatform(() =>
    rows<OrganizationDay>(
      `WITH page AS (SELECT id, timezone FROM organizations WHERE is_active AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2)
       SELECT id AS "organizationId", to_char(app.local_day(timezone), 'YYYY-MM-DD') AS day FROM page ORDER BY id`,
      [after, BATCH_SIZE],
    ),
  );
  const organizations: OrganizationDay[] = [];
  for (const one of batch)
    if (await inTenant(one.organizationId, () => isDue(one), { readOnly: true })) organizations.push(one);
  return { organizations, next: batch.length === BATCH_SIZE ? (batch.at(-1)?.organizationId ?? null) : null };
}
