/** Applications by people without accounts, as the public form sends them. */
import type { Client } from 'pg';
import type { Call } from './protocol.js';
import type { World } from './world.js';

/**
 * Creates calls that each send an application. Each has its own email address, because an address counts only once per
 * period, and its own network address.
 */
export async function makeApplications(owner: Client, world: World, count: number): Promise<Call[]> {
  const { rows } = await owner.query<{ slug: string; chapter: string }>(
    `SELECT o.slug, c.id AS chapter FROM organizations o JOIN chapters c ON c.organization_id = o.id AND c.status = 'active'
      WHERE o.id = $1 ORDER BY c.id LIMIT 1`,
    [world.organizationId],
  );
  await owner.query(
    `INSERT INTO recruitment_periods (organization_id, term_id, name, opens_at, closes_at, status)
     SELECT organization_id, id, 'Bench', '2020-01-01', '2040-01-01', 'active' FROM terms
      WHERE organization_id = $1 AND NOT EXISTS (SELECT FROM recruitment_periods WHERE organization_id = $1 AND status = 'active')
      ORDER BY starts_on DESC LIMIT 1`,
    [world.organizationId],
  );
  // Without a configuration the form asks no questions, so that product and reference insert the same rows.
  await owner.query('DELETE FROM pnm_application_configs WHERE organization_id = $1', [world.organizationId]);
  const [form] = rows;
  if (!form) throw new Error('The organization has no chapter to apply to.');
  return Array.from({ length: count }, (_, n) => applicationCall(form, n));
}

const applicationCall = ({ slug, chapter }: { slug: string; chapter: string }, n: number): Call => ({
  method: 'POST',
  path: `/api/pnm/public/${slug}/applications/`,
  headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.18.${(n >> 8) % 256}.${n % 256}` },
  body: JSON.stringify({
    chapter,
    email: `applicant-${n}@bench.example.org`,
    first_name: 'Ada',
    last_name: 'Applicant',
    birth_date: '2005-04-12',
    phone_number: '+15555550100',
    gpa: 3.4,
    expected_graduation_semester: 'Spring',
    expected_graduation_year: new Date().getUTCFullYear() + 2,
    honors_achievements: 'Dean’s list in two terms, and a scholarship.',
  }),
});
