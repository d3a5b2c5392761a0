/** An organization with its regions, chapters, terms, settings and dues rates. */
import type { Client } from 'pg';
import type { Question } from '../../models/intake/pnm-config/ApplicationConfig.js';
import type { Blueprint } from './blueprints.js';

/**
 * Inserts an organization.
 * @returns the new organization's id, or null when the slug exists already
 */
export async function insertOrganization(client: Client, blueprint: Blueprint): Promise<string | null> {
  const { slug, name, orgType, color, timezone } = blueprint;
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO organizations (slug, name, org_type, primary_color, timezone, accepts_account_requests)
     VALUES ($1, $2, $3, $4, $5, true) ON CONFLICT (slug) DO NOTHING RETURNING id`,
    [slug, name, orgType, color, timezone],
  );
  const id = rows[0]?.id ?? null;
  if (id) {
    await insertRegionsAndChapters(client, id, blueprint);
    await insertTerms(client, id);
    await insertDuesRules(client, id);
    await insertRecruitment(client, id);
  }
  return id;
}

async function insertRegionsAndChapters(
  client: Client,
  organizationId: string,
  { regions, chapters }: Blueprint,
): Promise<void> {
  await client.query(
    `INSERT INTO regions (organization_id, name, states)
     SELECT $1, r.name, r.states FROM jsonb_to_recordset($2) AS r(name text, states text[])`,
    [organizationId, JSON.stringify(regions)],
  );
  await client.query(
    `INSERT INTO chapters (organization_id, region_id, name, designation, university, city, state, founded_date)
     SELECT $1, r.id, c.name, c.designation, c.university, c.city, c.state, date '1921-09-01' + (c.position * 1461)::int
       FROM (SELECT value->>'name' AS name, value->>'designation' AS designation, value->>'university' AS university,
                    value->>'city' AS city, value->>'state' AS state, value->>'region' AS region, position
               FROM jsonb_array_elements($2) WITH ORDINALITY AS e(value, position)) c
       JOIN regions r ON r.organization_id = $1 AND r.name = c.region
      ORDER BY c.position`,
    [organizationId, JSON.stringify(chapters)],
  );
}

/** Inserts the current half-year, the one before and the one after. */
const insertTerms = (client: Client, organizationId: string) =>
  client.query(
    `INSERT INTO terms (organization_id, name, starts_on, ends_on)
     SELECT $1, CASE WHEN extract(month FROM t.start) = 1 THEN 'Spring ' ELSE 'Fall ' END || extract(year FROM t.start),
            t.start, (t.start + interval '6 months')::date - 1
       FROM (SELECT (date_trunc('year', current_date)
                     + CASE WHEN extract(month FROM current_date) > 6 THEN interval '6 months' ELSE interval '0' END
                     + n * interval '6 months')::date AS start
               FROM generate_series(-1, 1) AS n) t
      ORDER BY t.start`,
    [organizationId],
  );

/**
 * Inserts dues settings: members are billed, except in the last chapter, which pays for its members from the current
 * term on.
 */
async function insertDuesRules(client: Client, organizationId: string): Promise<void> {
  await client.query('INSERT INTO org_dues_settings (organization_id) VALUES ($1)', [organizationId]);
  await client.query(
    `INSERT INTO dues_rates (organization_id, term_id, status, amount_cents)
     SELECT $1, t.id, r.status, r.cents
       FROM terms t CROSS JOIN (VALUES ('undergrad', 18500), ('associate', 12500), ('active_alumni', 6000)) r(status, cents)
      WHERE t.organization_id = $1 AND t.starts_on <= current_date`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO chapter_billing_overrides (organization_id, chapter_id, effective_term_id, billing_mode)
     SELECT $1, (SELECT id FROM chapters WHERE organization_id = $1 ORDER BY id DESC LIMIT 1), t.id, 'bill_chapter'
       FROM terms t WHERE t.organization_id = $1 AND current_date BETWEEN t.starts_on AND t.ends_on`,
    [organizationId],
  );
}

/** Opens recruitment for the current term, with one reference letter per application. */
async function insertRecruitment(client: Client, organizationId: string): Promise<void> {
  await client.query(
    `INSERT INTO recruitment_periods (organization_id, term_id, name, opens_at, closes_at, status)
     SELECT $1, t.id, 'Recruitment ' || t.name, t.starts_on, t.ends_on + 1, 'active'
       FROM terms t WHERE t.organization_id = $1 AND current_date BETWEEN t.starts_on AND t.ends_on`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO pnm_application_configs (organization_id, questions, attachments, introduction, confirmation, reference_letters)
     VALUES ($1, $2, $3, $4, $5, 1)`,
    [
      organizationId,
      JSON.stringify([WHY_JOIN]),
      JSON.stringify([{ kind: 'resume', is_required: false }]),
      'Tell us who you are, why you would join, and who knows you well enough to write about you.',
      'We read every application, and answer each.',
    ],
  );
}

const WHY_JOIN: Question = {
  key: 'why_join',
  label: 'Why do you want to join?',
  help: null,
  type: 'long',
  is_required: true,
  options: [],
  minimum: null,
  maximum: 1000,
  is_archived: false,
};
