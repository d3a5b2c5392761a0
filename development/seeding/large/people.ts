/** The members of a large organization and its admins. All share one password hash. */
import type { Client } from 'pg';
import { FIRST_NAMES, LAST_NAMES } from '../names.js';
import { demoEmail } from '../people.js';
import { largeSlug, type Scale } from './scale.js';

/**
 * Fills `seeding_people`, one row per member. Column `c` is the number of the chapter, `n` the member's number in it.
 * The first three members of a chapter are president, treasurer and advisor. The admins are alumni of the first
 * chapter.
 */
export async function insertPeople(
  client: Client,
  organizationId: string,
  organization: number,
  { chapters, members }: Scale,
  passwordHash: string,
): Promise<void> {
  const slug = largeSlug(organization);
  await client.query(
    `CREATE TEMPORARY TABLE seeding_people ON COMMIT DROP AS
     SELECT pg_temp.seeded_id('user', g.at) AS user_id, pg_temp.seeded_id('membership', g.at) AS membership_id,
            pg_temp.seeded_id('chapter', $1::int * 1000 + c) AS chapter_id, c, n, first_name, last_name,
            CASE WHEN c = 1 AND n = 4 THEN 'admin.' || $2 WHEN c = 1 AND n = 5 THEN 'deputy.' || $2
                 WHEN c = 1 AND n = 6 THEN 'regional.' || $2
                 WHEN n <= 2 THEN (ARRAY['president','treasurer'])[n] || '.' || lpad(c::text, 2, '0') || '.' || $2
                 ELSE lower(first_name || '.' || last_name) || '.' || c || '.' || n || '.' || $2 END
              || '@example.org' AS email,
            CASE n WHEN 1 THEN 'president' WHEN 2 THEN 'officer' WHEN 3 THEN 'advisor' ELSE 'member' END AS role,
            CASE WHEN n <= 2 THEN 'undergrad' WHEN n = 3 THEN 'active_alumni' WHEN c = 1 AND n BETWEEN 4 AND 6 THEN 'alumni'
                 WHEN n % 30 = 0 THEN 'pnm' WHEN n % 12 = 0 THEN 'associate' WHEN n % 20 = 11 THEN 'alumni'
                 WHEN n % 40 = 17 THEN 'inactive' ELSE 'undergrad' END AS status
       FROM generate_series(1, $3::int) AS c CROSS JOIN generate_series(1, $4::int) AS n
      CROSS JOIN LATERAL (SELECT ($1::int * 1000 + c) * 1000 + n AS at,
          (${FIRST_NAMES})[(n * 7 + c * 5 + $1::int * 3) % 27 + 1] AS first_name,
          (${LAST_NAMES})[(n * 11 + c * 3 + n / 27 + $1::int) % 25 + 1] AS last_name) g`,
    [organization, slug, chapters, members],
  );
  await client.query(
    `INSERT INTO users (id, email, password_hash, first_name, last_name, last_organization_id)
     SELECT user_id, email, $1, first_name, last_name, $2 FROM seeding_people ORDER BY user_id`,
    [passwordHash, organizationId],
  );
  await client.query(
    `INSERT INTO memberships (id, organization_id, user_id, chapter_id, role, status, joined_date, graduation_year,
                              graduation_season, pledge_class, line_number)
     SELECT membership_id, $1, user_id, chapter_id, role, status, current_date - 600 - n % 8 * 90,
            CASE WHEN status IN ('undergrad','associate') THEN extract(year FROM current_date)::int + n % 4 END,
            CASE WHEN status IN ('undergrad','associate') THEN (ARRAY['SPRING','FALL'])[n % 2 + 1] END,
            CASE WHEN status <> 'pnm' THEN (ARRAY['Alpha','Beta','Gamma','Delta'])[n % 4 + 1] || ' class' END,
            CASE WHEN status <> 'pnm' THEN n END
       FROM seeding_people ORDER BY membership_id`,
    [organizationId],
  );
  await insertAdmins(client, organizationId, organization, slug);
}

async function insertAdmins(client: Client, organizationId: string, organization: number, slug: string) {
  await client.query(
    `INSERT INTO organization_admins (id, organization_id, user_id, title)
     SELECT pg_temp.seeded_id('admin', $2::int * 10 + a.n), $1, p.user_id, a.title
       FROM (VALUES (1, $3, 'Executive Director'), (2, $4, 'Deputy Director')) a(n, email, title)
       JOIN seeding_people p ON p.email = a.email`,
    [organizationId, organization, demoEmail('admin', slug), demoEmail('deputy', slug)],
  );
  await client.query(
    `INSERT INTO regional_admins (id, organization_id, region_id, user_id, role, title)
     SELECT pg_temp.seeded_id('regional', $2), $1, pg_temp.seeded_id('region', $2::int * 10), p.user_id, 'regional_director',
            'Regional Director' FROM seeding_people p WHERE p.email = $3`,
    [organizationId, organization, demoEmail('regional', slug)],
  );
}
