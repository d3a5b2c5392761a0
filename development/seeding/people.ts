/** The members of each chapter, the admins, and the platform admin. All share one password hash. */
import type { Client } from 'pg';
import type { Blueprint } from './blueprints.js';
import { FIRST_NAMES, LAST_NAMES } from './names.js';

/** Returns the email address of a demo person. */
export const demoEmail = (person: string, slug: string): string => `${person}.${slug}@example.org`;
export const PLATFORM_ADMIN_EMAIL = 'platform.admin@example.org';

/** Inserts the platform's own admin, who belongs to no organization. */
export const insertPlatformAdmin = (client: Client, passwordHash: string) =>
  client.query(
    `INSERT INTO users (email, password_hash, first_name, last_name, is_platform_admin)
     VALUES ($1, $2, 'Pat', 'Platform', true) ON CONFLICT (email) DO NOTHING`,
    [PLATFORM_ADMIN_EMAIL, passwordHash],
  );

/**
 * Inserts the members of each chapter: president, treasurer and advisor first, then members. One in twelve is an
 * associate, one in thirty a prospective member. In the first chapter, the treasurer and the fourth person are the
 * demo's officer and member.
 */
export async function insertMembers(
  client: Client,
  organizationId: string,
  blueprint: Blueprint,
  passwordHash: string,
) {
  await client.query(
    `CREATE TEMPORARY TABLE seeding_people ON COMMIT DROP AS
     SELECT c.id AS chapter_id, n, position,
            CASE WHEN position = 1 AND n = 2 THEN 'treasurer.' || $2
                 WHEN position = 1 AND n = 4 THEN 'member.' || $2
                 WHEN position = 2 AND n = 4 THEN 'admin.' || $2
                 WHEN position = 2 AND n = 5 THEN 'deputy.' || $2
                 WHEN position = 2 AND n = 6 THEN 'regional.' || $2
                 ELSE lower(first_name || '.' || last_name || '.') || position || '.' || n || '.' || $2 END
              || '@example.org' AS email,
            first_name, last_name,
            CASE n WHEN 1 THEN 'president' WHEN 2 THEN 'officer' WHEN 3 THEN 'advisor' ELSE 'member' END AS role,
            CASE WHEN n <= 2 THEN 'undergrad' WHEN n = 3 THEN 'active_alumni'
                 WHEN position = 2 AND n BETWEEN 4 AND 6 THEN 'alumni'
                 WHEN n % 30 = 0 THEN 'pnm' WHEN n % 12 = 0 THEN 'associate' ELSE 'undergrad' END AS status
       FROM jsonb_array_elements($3) WITH ORDINALITY AS e(value, position)
       JOIN chapters c ON c.organization_id = $1 AND c.name = value->>'name'
      CROSS JOIN LATERAL generate_series(1, (value->>'members')::int) AS n
      CROSS JOIN LATERAL (SELECT (${FIRST_NAMES})[(n * 7 + position * 5) % 27 + 1] AS first_name,
                                 (${LAST_NAMES})[(n * 11 + position * 3) % 25 + 1] AS last_name) names`,
    [organizationId, blueprint.slug, JSON.stringify(blueprint.chapters)],
  );
  await client.query(
    `INSERT INTO users (email, password_hash, first_name, last_name, last_organization_id)
     SELECT email, $1, first_name, last_name, $2 FROM seeding_people ORDER BY position, n`,
    [passwordHash, organizationId],
  );
  await client.query(
    `INSERT INTO memberships (organization_id, user_id, chapter_id, role, status, joined_date, graduation_year,
                              graduation_season, pledge_class, line_number)
     SELECT $1, u.id, p.chapter_id, p.role, p.status, current_date - 200 - (p.n % 4) * 180,
            CASE WHEN p.status IN ('undergrad','associate') THEN extract(year FROM current_date)::int + 1 + p.n % 4 END,
            CASE WHEN p.status IN ('undergrad','associate') THEN (ARRAY['SPRING','FALL'])[p.n % 2 + 1] END,
            CASE WHEN p.status <> 'pnm' THEN (ARRAY['Alpha','Beta','Gamma','Delta'])[p.n % 4 + 1] || ' class' END,
            CASE WHEN p.status <> 'pnm' THEN p.n END
       FROM seeding_people p JOIN users u ON u.email = p.email ORDER BY p.position, p.n`,
    [organizationId],
  );
  await client.query('DROP TABLE seeding_people');
}

/**
 * Inserts two organization admins and a regional director of the officer's region, all alumni of the second chapter.
 */
export async function insertAdmins(
  client: Client,
  organizationId: string,
  { slug, regions }: Blueprint,
): Promise<void> {
  await client.query(
    `INSERT INTO organization_admins (organization_id, user_id, title)
     SELECT $1, u.id, a.title FROM (VALUES ($2, 'Executive Director'), ($3, 'Deputy Director')) a(email, title)
       JOIN users u ON u.email = a.email`,
    [organizationId, demoEmail('admin', slug), demoEmail('deputy', slug)],
  );
  await client.query(
    `INSERT INTO regional_admins (organization_id, region_id, user_id, role, title)
     SELECT $1, r.id, u.id, 'regional_director', 'Regional Director' FROM regions r CROSS JOIN users u
      WHERE r.organization_id = $1 AND r.name = $2 AND u.email = $3`,
    [organizationId, regions[0]?.name, demoEmail('regional', slug)],
  );
}
