/**
 * Plans five invoices per member, in the temporary table `seeding_invoices`, from which the payments are made. An
 * invoice has a slot: slots 1 to 3 are the dues of three past terms, slots 4 and 5 are charges of the current term. The
 * dues of the current term are missing, so that a dues run can create them. Of 25 successive members,
 *   24 have paid the invoice in slot 1, and one has it void; slot 2 likewise
 *   15 have paid slot 3, 5 are overdue after a part payment, 5 are overdue and have paid nothing
 *   5 have paid a part of slot 4, one has it covered by credit, the others have it open, some with a discount
 *   one has paid slot 5 in two parts, the others have it open
 * Slots 4 and 5 of the last member are charges to the chapter itself.
 */
import type { Client } from 'pg';

/** Fills `seeding_invoices`, one row per invoice. */
export async function planInvoices(client: Client, organization: number): Promise<void> {
  await client.query(
    `CREATE TEMPORARY TABLE seeding_invoices ON COMMIT DROP AS
     SELECT planned.*, CASE WHEN state IN ('paid','paid in two') THEN cents WHEN state LIKE '%part paid' THEN cents / 4 ELSE 0 END AS paid_cents
       FROM (SELECT pg_temp.seeded_id('invoice', at) AS id, at, slot, p.c, p.n, p.chapter_id, t.id AS term_id, p.status AS member_status,
            CASE WHEN NOT to_chapter THEN p.membership_id END AS membership_id,
            CASE WHEN to_chapter THEN (ARRAY['Chapter insurance','Charter fee'])[slot - 3]
                 ELSE (ARRAY['Dues','Dues','Dues','National fee','Leadership conference'])[slot] END AS description,
            CASE WHEN to_chapter THEN 150000 WHEN slot <= 3 THEN CASE p.status WHEN 'associate' THEN 12500 ELSE 18500 END
                 WHEN slot = 4 THEN 8500 ELSE 12000 END AS cents,
            CASE WHEN slot <= 3 THEN t.starts_on ELSE current_date - 7 - p.n % 7 END AS issued,
            CASE WHEN slot <= 3 THEN t.starts_on + 25 + p.n % 11 ELSE current_date + 14 + slot * 3 + p.n % 20 END AS due,
            CASE WHEN slot <= 2 AND p.n % 25 = slot - 1 THEN 'void' WHEN slot <= 2 THEN 'paid'
                 WHEN slot = 3 THEN CASE p.n % 5 WHEN 0 THEN 'overdue' WHEN 1 THEN 'overdue, part paid' ELSE 'paid' END
                 WHEN slot = 4 AND p.n % 5 = 2 THEN 'part paid' WHEN slot = 4 AND p.n % 25 = 3 THEN 'credit'
                 WHEN slot = 5 AND p.n % 25 = 7 THEN 'paid in two' ELSE 'open' END AS state
       FROM seeding_people p CROSS JOIN generate_series(1, 5) AS slot
       JOIN terms t ON t.id = pg_temp.seeded_id('term', $1::int * 10 + least(slot, 4))
      CROSS JOIN LATERAL (SELECT ((slot * 100 + $1::int) * 1000 + p.c)::bigint * 1000 + p.n AS at,
                                 slot >= 4 AND p.n = (SELECT max(n) FROM seeding_people) AS to_chapter) s) planned`,
    [organization],
  );
  await client.query('ANALYZE seeding_invoices');
}

/**
 * Inserts the invoices with their final amounts, then their lines and payments in one statement. The triggers that
 * compute an invoice's amounts find them correct already, so they do not update each invoice.
 */
export async function insertInvoicesAndPayments(
  client: Client,
  organizationId: string,
  organization: number,
  processorId: string,
): Promise<void> {
  await insertDuesRun(client, organizationId, organization);
  await client.query(
    `INSERT INTO chapter_invoices (id, organization_id, chapter_id, term_id, dues_run_id, payer_type, membership_id, is_recurring,
       description, issue_date, due_date, status, total_cents, paid_cents, balance_due_cents, overdue_at, paid_at, voided_at,
       void_reason, created_at)
     SELECT id, $1, chapter_id, term_id, CASE slot WHEN 3 THEN pg_temp.seeded_id('dues run', $2) END,
            CASE WHEN membership_id IS NULL THEN 'chapter' ELSE 'member' END, membership_id, slot <= 3, description, issued, due,
            CASE state WHEN 'void' THEN 'void' WHEN 'paid' THEN 'paid' WHEN 'paid in two' THEN 'paid' WHEN 'part paid' THEN 'partially_paid'
                       WHEN 'overdue' THEN 'overdue' WHEN 'overdue, part paid' THEN 'overdue' ELSE 'open' END,
            cents, paid_cents, CASE WHEN state = 'void' THEN 0 ELSE cents - paid_cents END,
            CASE WHEN state LIKE 'overdue%' THEN due + 1 END, CASE WHEN paid_cents = cents THEN due - 3 END,
            CASE WHEN state = 'void' THEN due END, CASE WHEN state = 'void' THEN 'Left before the term began' END, issued
       FROM seeding_invoices ORDER BY id`,
    [organizationId, organization],
  );
  await client.query(
    `WITH paid AS (
       INSERT INTO payment_records (id, organization_id, invoice_id, processor_id, processor_payment_id, intent_id, remittance_id,
                                    amount_cents, status, paid_at, created_at)
       SELECT pg_temp.seeded_id('payment', at * 10 + part), $1, invoice_id, CASE WHEN intent_id IS NOT NULL THEN $2::uuid END,
              CASE WHEN remittance_id IS NOT NULL THEN remittance_id || ':' || invoice_id
                   ELSE coalesce(intent_id, 'cheque:' || invoice_id || ':' || part) END,
              intent_id, remittance_id, cents, 'succeeded', paid, paid
         FROM seeding_payments ORDER BY at, part)
     INSERT INTO invoice_line_items (id, organization_id, invoice_id, membership_id, description, unit_amount_cents, amount_cents, created_at)
     SELECT pg_temp.seeded_id('line', at), $1, id, membership_id, description, cents, cents, issued FROM seeding_invoices ORDER BY at`,
    [organizationId, processorId],
  );
}

/** Inserts the dues run that issued the dues of the last term, with its plan. */
async function insertDuesRun(client: Client, organizationId: string, organization: number): Promise<void> {
  await client.query(
    `INSERT INTO dues_runs (id, organization_id, term_id, due_date, preview_hash, status, chapters_total, chapters_done,
       invoices_planned, invoices_issued, planned_cents, issued_cents, completed_at, created_at)
     SELECT pg_temp.seeded_id('dues run', $2), $1, term_id, max(due), encode(sha256(term_id::text::bytea), 'hex'), 'completed', count(DISTINCT chapter_id),
            count(DISTINCT chapter_id), count(*), count(*), sum(cents), sum(cents), min(issued), min(issued)
       FROM seeding_invoices WHERE slot = 3 GROUP BY term_id`,
    [organizationId, organization],
  );
  await client.query(
    `INSERT INTO dues_run_items (id, organization_id, dues_run_id, chapter_id, membership_id, status, quantity, amount_cents, created_at)
     SELECT pg_temp.seeded_id('run item', at), $1, pg_temp.seeded_id('dues run', $2), chapter_id, membership_id,
            CASE cents WHEN 12500 THEN 'associate' ELSE 'undergrad' END, 1, cents, issued
       FROM seeding_invoices WHERE slot = 3 ORDER BY at`,
    [organizationId, organization],
  );
}
