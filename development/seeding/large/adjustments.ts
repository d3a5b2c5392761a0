/** Discounts, credit, and the audit log of the seeded data. */
import type { Client } from 'pg';

export async function insertDiscountsAndCredit(client: Client, organizationId: string, organization: number) {
  await client.query(
    `INSERT INTO invoice_discounts (id, organization_id, invoice_id, amount_cents, category, reason, granted_by, created_at)
     SELECT pg_temp.seeded_id('discount', at), $1, id, 1000, 'hardship', 'Hardship allowance granted for this term',
            (SELECT user_id FROM organization_admins WHERE id = pg_temp.seeded_id('admin', $2::int * 10 + 1)), issued
       FROM seeding_invoices WHERE slot = 4 AND n % 10 = 4 AND membership_id IS NOT NULL ORDER BY at`,
    [organizationId, organization],
  );
  await client.query(
    `INSERT INTO chapter_account_credits (id, organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, reason, created_at)
     SELECT pg_temp.seeded_id('chapter credit', at), $1::uuid, chapter_id, 'chapter', NULL::uuid, 'issued', 20000,
            'Deposit for the house returned', issued FROM seeding_invoices WHERE slot = 5 AND n = 1
     UNION ALL
     SELECT pg_temp.seeded_id('credit', at * 10), $1::uuid, chapter_id, 'member', membership_id, 'issued', cents + 1500,
            'Conference fee returned', issued FROM seeding_invoices WHERE state = 'credit'`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO chapter_account_credits (id, organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, invoice_id,
                                          reason, created_at)
     SELECT pg_temp.seeded_id('credit', at * 10 + 1), $1, chapter_id, 'member', membership_id, 'applied', cents, id,
            'Applied to the national fee', issued FROM seeding_invoices WHERE state = 'credit'`,
    [organizationId],
  );
}

/**
 * Inserts audit entries: one for half of the members (when they joined), one for each overdue invoice, and one for each
 * settled remittance.
 */
export async function insertAuditLog(client: Client, organizationId: string, organization: number): Promise<void> {
  await client.query(
    `INSERT INTO audit_log (id, organization_id, actor_user_id, action, subject_type, subject_id, after, created_at)
     SELECT pg_temp.seeded_id('audit', $2::bigint * 1000000 + row_number() OVER (ORDER BY at, subject_id)), $1, actor, action,
            split_part(action, '.', 1), subject_id, after, at
       FROM (
         SELECT (SELECT user_id FROM organization_admins WHERE id = pg_temp.seeded_id('admin', $2::int * 10 + 1)) AS actor,
                'membership.created' AS action, membership_id AS subject_id,
                jsonb_build_object('chapter_id', chapter_id, 'role', role) AS after, (current_date - 600)::timestamptz AS at
           FROM seeding_people WHERE n % 2 = 0
         UNION ALL
         SELECT NULL, 'invoice.marked_overdue', id, jsonb_build_object('day', due + 1), due + 1
           FROM seeding_invoices WHERE state LIKE 'overdue%'
         UNION ALL
         SELECT officer, 'remittance.settled', id, jsonb_build_object('processor_payment_id', intent_id, 'amount_cents', cents), paid
           FROM seeding_remittances) entries
      ORDER BY 1`,
    [organizationId, organization],
  );
}
