/** Facts about the large seed for tools: who can sign in, and where there are invoices to pay. */
import type { Client } from 'pg';
import { DEMO_PASSWORD } from '../blueprints.js';
import { demoEmail } from '../people.js';

export interface LargeChapter {
  id: string;
  /** The chapter's treasurer, who may pay remittances. */
  officer_email: string;
  /** Number of open member invoices that have a balance and are in no draft remittance. */
  open_invoices: number;
}

export interface LargeOrganization {
  id: string;
  slug: string;
  password: string;
  admin_email: string;
  regional_admin_email: string;
  term_id: string;
  payment_processor_id: string;
  /** Sorted by name. */
  chapters: LargeChapter[];
}

/** Reads the facts from the database, so that a second run reports the same. */
export async function readLargeFacts(client: Client, slugs: string[]): Promise<LargeOrganization[]> {
  const { rows } = await client.query<Pick<LargeOrganization, 'id' | 'slug' | 'term_id' | 'payment_processor_id'>>(
    `SELECT o.id, o.slug,
            (SELECT t.id FROM terms t WHERE t.organization_id = o.id AND current_date BETWEEN t.starts_on AND t.ends_on) AS term_id,
            (SELECT p.id FROM org_payment_processors p WHERE p.organization_id = o.id AND p.purpose = 'dues'
              ORDER BY p.disabled_at NULLS FIRST, p.id LIMIT 1) AS payment_processor_id
       FROM organizations o WHERE o.slug = ANY($1) ORDER BY o.slug`,
    [slugs],
  );
  const organizations: LargeOrganization[] = [];
  for (const row of rows)
    organizations.push({
      ...row,
      password: DEMO_PASSWORD,
      admin_email: demoEmail('admin', row.slug),
      regional_admin_email: demoEmail('regional', row.slug),
      chapters: await readChapters(client, row.id),
    });
  return organizations;
}

async function readChapters(client: Client, organizationId: string): Promise<LargeChapter[]> {
  const { rows } = await client.query<LargeChapter>(
    `SELECT c.id,
            (SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
              WHERE m.organization_id = c.organization_id AND m.chapter_id = c.id AND m.role = 'officer'
              ORDER BY m.id LIMIT 1) AS officer_email,
            (SELECT count(*)::int FROM chapter_invoices i
              WHERE i.organization_id = c.organization_id AND i.chapter_id = c.id AND i.status = 'open' AND i.payer_type = 'member'
                AND i.balance_due_cents > 0
                AND NOT EXISTS (SELECT 1 FROM chapter_remittance_allocations a
                                 WHERE a.organization_id = i.organization_id AND a.invoice_id = i.id)) AS open_invoices
       FROM chapters c WHERE c.organization_id = $1 ORDER BY c.name`,
    [organizationId],
  );
  return rows;
}
