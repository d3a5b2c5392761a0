/**
 * Payments of the large seed. Dues were paid by remittance, by cheque or on the hosted page; charges of the current
 * term were paid by cheque or with credit.
 */
import type { Client } from 'pg';

/**
 * Fills `seeding_payments`, one row per payment. For the first two terms, the dues of 25 members at a time were paid
 * with one remittance. The last 25 members of each chapter paid without a remittance.
 */
export async function planPayments(client: Client): Promise<void> {
  await client.query(
    `CREATE TEMPORARY TABLE seeding_payments ON COMMIT DROP AS
     SELECT i.id AS invoice_id, i.at, i.slot, i.chapter_id, part, i.due - 3 * part::int AS paid,
            CASE WHEN state LIKE '%part paid' THEN i.paid_cents
                 WHEN state = 'paid in two' AND part = 1 THEN i.cents / 3
                 WHEN state = 'paid in two' THEN i.cents - i.cents / 3 ELSE i.cents END AS cents,
            CASE WHEN remitted THEN pg_temp.seeded_id('remittance', batch) END AS remittance_id,
            CASE WHEN remitted THEN 'pi_large_' || md5('remittance:' || batch)
                 WHEN i.slot = 3 AND i.state = 'paid' AND i.n % 2 = 0 THEN 'pi_large_' || md5('invoice:' || i.at) END AS intent_id
       FROM seeding_invoices i
      CROSS JOIN LATERAL generate_series(1, CASE WHEN state = 'paid in two' THEN 2 ELSE 1 END) AS part
      CROSS JOIN LATERAL (SELECT i.slot <= 2 AND i.n <= (SELECT max(n) FROM seeding_people) - 25 AS remitted,
                                 i.at / 1000 * 1000 + (i.n - 1) / 25 AS batch) b
      WHERE i.state IN ('paid','part paid','overdue, part paid','paid in two')`,
  );
  await client.query('ANALYZE seeding_payments');
}

/**
 * Inserts settled remittances, each with its attempt and capture. The gateway does not know these charges, but they are
 * older than the range that a comparison with it reads.
 */
export async function insertRemittances(client: Client, organizationId: string, processorId: string): Promise<void> {
  await client.query(
    `CREATE TEMPORARY TABLE seeding_remittances ON COMMIT DROP AS
     SELECT r.remittance_id AS id, r.chapter_id, r.intent_id, r.cents, r.paid, r.at, p.user_id AS officer
       FROM (SELECT remittance_id, chapter_id, intent_id, sum(cents) AS cents, max(paid) AS paid, min(at) AS at
               FROM seeding_payments WHERE remittance_id IS NOT NULL GROUP BY 1, 2, 3) r
       JOIN seeding_people p ON p.chapter_id = r.chapter_id AND p.n = 2`,
  );
  await client.query(
    `INSERT INTO chapter_remittances (id, organization_id, chapter_id, created_by, total_cents, processor_payment_id, settled_at, created_at)
     SELECT id, $1, chapter_id, officer, cents, intent_id, paid, paid FROM seeding_remittances ORDER BY id`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO payment_attempts (id, organization_id, remittance_id, processor_id, payment_method, amount_cents, currency, status,
                                   intent_id, captured_cents, requested_by, finished_at, created_at)
     SELECT pg_temp.seeded_id('attempt', at), $1, id, $2, 'pm_card_visa', cents, 'usd', 'succeeded', intent_id, cents, officer, paid, paid
       FROM seeding_remittances ORDER BY at`,
    [organizationId, processorId],
  );
  await client.query(
    `INSERT INTO processor_captures (id, organization_id, processor_id, intent_id, remittance_id, amount_cents, disposition, created_at)
     SELECT pg_temp.seeded_id('capture', at), $1, $2, intent_id, id, cents, 'recorded', paid FROM seeding_remittances ORDER BY at`,
    [organizationId, processorId],
  );
}

/** Inserts the allocations of settled remittances, and a draft with ten open invoices for each chapter. */
export async function insertAllocations(client: Client, organizationId: string): Promise<void> {
  await client.query(
    `INSERT INTO chapter_remittance_allocations (id, organization_id, remittance_id, chapter_id, invoice_id, amount_cents,
                                                 payment_record_id, created_at)
     SELECT pg_temp.seeded_id('allocation', at), $1, remittance_id, chapter_id, invoice_id, cents,
            pg_temp.seeded_id('payment', at * 10 + part), paid
       FROM seeding_payments WHERE remittance_id IS NOT NULL ORDER BY at`,
    [organizationId],
  );
  await client.query(
    `CREATE TEMPORARY TABLE seeding_drafts ON COMMIT DROP AS
     SELECT pg_temp.seeded_id('draft', i.at / 1000) AS remittance_id, i.chapter_id, i.id AS invoice_id, i.cents, i.at, p.user_id AS officer
       FROM seeding_invoices i JOIN seeding_people p ON p.chapter_id = i.chapter_id AND p.n = 2
      WHERE i.slot = 5 AND i.state = 'open' AND i.n BETWEEN 8 AND 17`,
  );
  await client.query(
    `INSERT INTO chapter_remittances (id, organization_id, chapter_id, created_by, total_cents)
     SELECT remittance_id, $1, chapter_id, officer, sum(cents) FROM seeding_drafts GROUP BY 1, 3, 4 ORDER BY 1`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO chapter_remittance_allocations (id, organization_id, remittance_id, chapter_id, invoice_id, amount_cents)
     SELECT pg_temp.seeded_id('allocation', at), $1, remittance_id, chapter_id, invoice_id, cents FROM seeding_drafts ORDER BY at`,
    [organizationId],
  );
}

/** Inserts the attempt and the capture of each payment on the hosted page. */
export async function insertHostedPayments(client: Client, organizationId: string, processorId: string): Promise<void> {
  await client.query(
    `INSERT INTO payment_attempts (id, organization_id, invoice_id, processor_id, amount_cents, currency, status, intent_id,
                                   captured_cents, checkout_session_id, finished_at, created_at)
     SELECT pg_temp.seeded_id('attempt', at), $1, invoice_id, $2, cents, 'usd', 'succeeded', intent_id, cents,
            'cs_large_' || md5(at::text), paid, paid
       FROM seeding_payments WHERE intent_id IS NOT NULL AND remittance_id IS NULL ORDER BY at`,
    [organizationId, processorId],
  );
  await client.query(
    `INSERT INTO processor_captures (id, organization_id, processor_id, intent_id, invoice_id, amount_cents, disposition, created_at)
     SELECT pg_temp.seeded_id('capture', at), $1, $2, intent_id, invoice_id, cents, 'recorded', paid
       FROM seeding_payments WHERE intent_id IS NOT NULL AND remittance_id IS NULL ORDER BY at`,
    [organizationId, processorId],
  );
}
