/** Issues more invoices: a benchmark that pays remittances uses up the open invoices of a chapter. */
import type { Client } from 'pg';

/** Amount of each invoice, in cents. */
const CENTS = 5_000;

/**
 * Issues `count` open invoices to the members of one chapter in turn, due in thirty days, connected as the owner role.
 * @returns their ids; the balance of each is 5,000 cents
 * @throws Error when the chapter has no members
 */
export async function issueOpenInvoices(
  client: Client,
  { organizationId, chapterId, count }: { organizationId: string; chapterId: string; count: number },
): Promise<string[]> {
  await client.query('BEGIN');
  try {
    const { rows } = await client.query<{ id: string }>(
      `WITH member AS (
         SELECT id, row_number() OVER (ORDER BY id) - 1 AS n, count(*) OVER () AS members
           FROM memberships WHERE organization_id = $1 AND chapter_id = $2)
       INSERT INTO chapter_invoices (organization_id, chapter_id, payer_type, membership_id, description, issue_date, due_date)
       SELECT $1, $2, 'member', member.id, 'Activity fee', current_date, current_date + 30
         FROM generate_series(0, $3::int - 1) AS k JOIN member ON member.n = k % member.members
       RETURNING id`,
      [organizationId, chapterId, count],
    );
    if (rows.length < count) throw new Error(`The chapter ${chapterId} has no members.`);
    const ids = rows.map(({ id }) => id);
    await client.query(
      `INSERT INTO invoice_line_items (organization_id, invoice_id, membership_id, description, unit_amount_cents, amount_cents)
       SELECT $1, i.id, i.membership_id, i.description, $3::bigint, $3::bigint FROM chapter_invoices i WHERE i.id = ANY($2)`,
      [organizationId, ids, CENTS],
    );
    await client.query('COMMIT');
    return ids;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
