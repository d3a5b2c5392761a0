/** A large organization with its regions, chapters, terms and rules. */
import type { Client } from 'pg';
import { type Scale, largeSlug } from './scale.js';

/**
 * Inserts a large organization.
 * @returns the organization's id, or null when its slug exists already
 */
export async function insertLargeOrganization(client: Client, organization: number): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO organizations (id, slug, name, org_type, primary_color, timezone, accepts_account_requests)
     VALUES (pg_temp.seeded_id('organization', $1), $2, 'Large Society ' || $1,
             CASE $1 % 2 WHEN 1 THEN 'fraternity' ELSE 'sorority' END, 'hsl(' || $1 * 18 % 360 || ', 50%, 40%)',
             (ARRAY['America/New_York','America/Chicago','America/Denver','America/Los_Angeles'])[$1 % 4 + 1], true)
     ON CONFLICT (slug) DO NOTHING RETURNING id`,
    [organization, largeSlug(organization)],
  );
  return rows[0]?.id ?? null;
}

/** Inserts four regions, and the chapters distributed over them in turn. */
export async function insertRegionsAndChapters(
  client: Client,
  organizationId: string,
  organization: number,
  scale: Scale,
) {
  await client.query(
    `INSERT INTO regions (id, organization_id, name, states)
     SELECT pg_temp.seeded_id('region', $2::int * 10 + r.n), $1, r.name, r.states
       FROM (VALUES (0, 'North', '{MI,OH,IL}'::text[]), (1, 'South', '{TX,LA,FL}'), (2, 'East', '{NY,PA,VA}'),
                    (3, 'West', '{CA,OR,WA}')) r(n, name, states)`,
    [organizationId, organization],
  );
  await client.query(
    `INSERT INTO chapters (id, organization_id, region_id, name, designation, university, city, state, founded_date)
     SELECT pg_temp.seeded_id('chapter', $2::int * 1000 + c), $1, pg_temp.seeded_id('region', $2::int * 10 + c % 4),
            'Chapter ' || lpad(c::text, 3, '0'), 'C' || c, (ARRAY['Lakeshore','Prairie','Bayou','Redwood','Summit'])[c % 5 + 1]
              || ' University ' || c, (ARRAY['Ann Arbor','Austin','Albany','Eugene'])[c % 4 + 1],
            (ARRAY['MI','TX','NY','OR'])[c % 4 + 1], date '1921-09-01' + c * 500
       FROM generate_series(1, $3::int) AS c`,
    [organizationId, organization, scale.chapters],
  );
}

/** Deactivates one chapter in twenty. Call it after inserting the people, because inactive chapters accept none. */
export async function closeChapters(client: Client, organizationId: string): Promise<void> {
  await client.query(
    `UPDATE chapters SET status = 'inactive' WHERE organization_id = $1 AND substr(designation, 2)::int % 20 = 19`,
    [organizationId],
  );
}

/** Inserts half-years as terms: three past ones, the current and the next, with dues rates for all but the next. */
export async function insertRules(client: Client, organizationId: string, organization: number): Promise<void> {
  await client.query(
    `INSERT INTO terms (id, organization_id, name, starts_on, ends_on)
     SELECT pg_temp.seeded_id('term', $2::int * 10 + n + 4), $1,
            CASE WHEN extract(month FROM start) = 1 THEN 'Spring ' ELSE 'Fall ' END || extract(year FROM start),
            start, (start + interval '6 months')::date - 1
       FROM generate_series(-3, 1) AS n
      CROSS JOIN LATERAL (SELECT (date_trunc('year', current_date)
          + CASE WHEN extract(month FROM current_date) > 6 THEN interval '6 months' ELSE interval '0' END
          + n * interval '6 months')::date AS start) half
      ORDER BY n`,
    [organizationId, organization],
  );
  await client.query('INSERT INTO org_dues_settings (organization_id) VALUES ($1)', [organizationId]);
  await client.query(
    `INSERT INTO dues_rates (id, organization_id, term_id, status, amount_cents)
     SELECT pg_temp.seeded_id('rate', $2::int * 100 + n * 10 + r.k), $1, pg_temp.seeded_id('term', $2::int * 10 + n), r.status, r.cents
       FROM generate_series(1, 4) AS n
      CROSS JOIN (VALUES (1, 'undergrad', 18500), (2, 'associate', 12500), (3, 'active_alumni', 6000)) r(k, status, cents)`,
    [organizationId, organization],
  );
  await client.query(
    `INSERT INTO chapter_billing_overrides (id, organization_id, chapter_id, effective_term_id, billing_mode)
     SELECT pg_temp.seeded_id('override', $2::int * 1000 + c.n), $1, c.id, pg_temp.seeded_id('term', $2::int * 10 + 4), 'bill_chapter'
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM chapters WHERE organization_id = $1) c
      WHERE c.n % 13 = 0`,
    [organizationId, organization],
  );
}
