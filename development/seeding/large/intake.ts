/**
 * The intake of a large organization: a closed recruitment period and an active one, and an application for every fifth
 * member. The applicants of the closed period have become members; those of the active one are still prospective.
 */
import type { Client } from 'pg';

/**
 * Inserts the periods. Call it before inserting people: a trigger records the active period of new prospective members.
 */
export async function insertPeriods(client: Client, organizationId: string, organization: number): Promise<void> {
  await client.query(
    `INSERT INTO recruitment_periods (id, organization_id, term_id, name, opens_at, closes_at, status)
     SELECT pg_temp.seeded_id('recruitment', t.n), $1, pg_temp.seeded_id('term', t.n), 'Intake ' || t.name, t.starts_on, t.ends_on + 1,
            CASE t.n % 10 WHEN 4 THEN 'active' ELSE 'closed' END
       FROM (SELECT $2::int * 10 + n AS n, terms.* FROM generate_series(3, 4) AS n
               JOIN terms ON terms.organization_id = $1 AND terms.id = pg_temp.seeded_id('term', $2::int * 10 + n)) t`,
    [organizationId, organization],
  );
}

/**
 * Inserts applications. A twentieth of them is below the minimum GPA; a tenth of the current ones have not confirmed
 * their mailbox.
 */
export async function insertApplications(client: Client, organizationId: string, organization: number) {
  await client.query(
    `INSERT INTO pnm_profiles (id, organization_id, chapter_id, membership_id, recruitment_period_id, stage, crossed_at, gpa, created_at)
     SELECT pg_temp.seeded_id('prospect', ($2::int * 1000 + c) * 1000 + n), $1, chapter_id, membership_id,
            pg_temp.seeded_id('recruitment', $2::int * 10 + 3), 'completed', now() - interval '100 days', 2 + n % 20 / 10.0,
            now() - interval '200 days'
       FROM seeding_people WHERE n % 5 = 0 AND status <> 'pnm' ORDER BY c, n`,
    [organizationId, organization],
  );
  await client.query(
    `INSERT INTO crossings (id, organization_id, membership_id, profile_id, crossed_at, carried_at, welcomed_at, created_at)
     SELECT pg_temp.seeded_id('crossing', ($2::int * 1000 + s.c) * 1000 + s.n), $1, p.membership_id, p.id, p.crossed_at, p.crossed_at,
            p.crossed_at, p.crossed_at
       FROM seeding_people s JOIN pnm_profiles p ON p.organization_id = $1 AND p.membership_id = s.membership_id
      WHERE p.stage = 'completed' ORDER BY s.c, s.n`,
    [organizationId, organization],
  );
  await client.query(
    `INSERT INTO pnm_applications (id, organization_id, recruitment_period_id, chapter_id, email, first_name, last_name, state,
       is_proven, below_minimum_gpa, profile_id, received_at, created_at)
     SELECT pg_temp.seeded_id('application', ($2::int * 1000 + s.c) * 1000 + s.n), $1, p.recruitment_period_id, p.chapter_id, s.email, s.first_name,
            s.last_name, 'received', p.stage = 'completed' OR s.c % 10 > 0, s.c % 20 = 0, p.id, p.created_at, p.created_at
       FROM seeding_people s JOIN pnm_profiles p ON p.organization_id = $1 AND p.membership_id = s.membership_id
      WHERE s.n % 5 = 0 ORDER BY s.c, s.n`,
    [organizationId, organization],
  );
  await client.query(
    `INSERT INTO pnm_application_versions (id, organization_id, application_id, chapter_id, contents, state, token_hash, confirmed_at,
       created_at)
     SELECT pg_temp.seeded_id('version', ($2::int * 1000 + s.c) * 1000 + s.n), $1, a.id, a.chapter_id,
            jsonb_build_object('person', jsonb_build_object('first_name', a.first_name, 'last_name', a.last_name),
              'belowMinimumGpa', a.below_minimum_gpa, 'fields', '{}'::jsonb, 'answers', '[]'::jsonb, 'consents', '[]'::jsonb),
            'current', md5(a.id::text), CASE WHEN a.is_proven THEN a.received_at END, a.created_at
       FROM seeding_people s JOIN pnm_applications a ON a.organization_id = $1
        AND a.id = pg_temp.seeded_id('application', ($2::int * 1000 + s.c) * 1000 + s.n)
      ORDER BY s.c, s.n`,
    [organizationId, organization],
  );
}
