/** Issues invoices during the run, as the owner role, so that there is always an invoice to pay. */
import { Client } from 'pg';
import { uuidv7 } from '../../../models/database/uuid.js';

export interface Bill {
  organizationId: string;
  chapterId: string;
  /** Maximum number of members; each gets one invoice. */
  members: number;
  cents: number;
  /** Days from today. Negative values make invoices past due, for the overdue schedule. */
  dueInDays: number;
}

const INVOICES = `
  INSERT INTO chapter_invoices (id, organization_id, chapter_id, term_id, payer_type, membership_id, is_recurring,
                                description, issue_date, due_date)
  SELECT given.id, m.organization_id, m.chapter_id, t.id, 'member', m.id, false, 'Charge of the day', current_date - 7,
         current_date + $4::int
    FROM (SELECT id, row_number() OVER () AS n FROM unnest($1::uuid[]) AS ids(id)) given
    JOIN (SELECT *, row_number() OVER (ORDER BY random()) AS n FROM memberships
           WHERE organization_id = $2 AND chapter_id = $3 AND status = 'undergrad') m ON m.n = given.n
    JOIN terms t ON t.organization_id = m.organization_id AND current_date BETWEEN t.starts_on AND t.ends_on`;

const LINES = `
  INSERT INTO invoice_line_items (organization_id, invoice_id, membership_id, description, unit_amount_cents, amount_cents)
  SELECT organization_id, id, membership_id, description, cents, cents
    FROM chapter_invoices CROSS JOIN LATERAL (SELECT $2::int + (hashtext(id::text) & 1023) AS cents) amount
   WHERE id = ANY($1)`;

/** Inserts the invoices and their lines in one transaction. @throws Error when the database is down */
export async function bill(
  ownerUrl: string,
  { organizationId, chapterId, members, cents, dueInDays }: Bill,
): Promise<void> {
  const ids = Array.from({ length: members }, () => uuidv7());
  const client = new Client({ connectionString: ownerUrl, application_name: 'chaos-billing' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('BEGIN');
    await client.query(INVOICES, [ids, organizationId, chapterId, dueInDays]);
    await client.query(LINES, [ids, cents]);
    await client.query('COMMIT');
  } finally {
    await client.end().catch(() => undefined);
  }
}
