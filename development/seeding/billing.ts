/** Invoices in every status, and the payment processor that charges them. */
import type { Client } from 'pg';
import { config } from '../../config.js';
import { encrypt } from '../../models/database/encryption.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { webhookSecretDigests } from '../../models/finances/payment-processors/webhookSecrets.js';
import type { Blueprint } from './blueprints.js';
import { cardAccountOf, giftAccountOf } from './cardAccount.js';

const PROCESSORS = 'org_payment_processors';

/** Inserts an organization's own account at the gateway, for dues or for gifts. */
export async function insertProcessor(
  client: Client,
  organizationId: string,
  slug: string,
  id = uuidv7(),
  purpose: 'dues' | 'foundation' = 'dues',
): Promise<void> {
  const account = (purpose === 'dues' ? cardAccountOf : giftAccountOf)(slug, {
    secretKey: config.STRIPE_SECRET_KEY,
    webhookSecret: config.STRIPE_WEBHOOK_SECRET,
  });
  const sealed = (column: string, secret: string) => encrypt(secret, { table: PROCESSORS, column, rowId: id });
  await client.query(
    `INSERT INTO org_payment_processors (id, organization_id, purpose, provider, label, account_reference, publishable_key,
       secret_key_encrypted, webhook_secret_encrypted) VALUES ($1, $2, $3, 'stripe', $4, $5, $6, $7, $8)`,
    [
      id,
      organizationId,
      purpose,
      purpose === 'dues' ? 'Card payments' : 'Gifts',
      `acct_${account.name}`,
      `pk_test_${account.name}`,
      sealed('secret_key_encrypted', account.secretKey),
      sealed('webhook_secret_encrypted', account.webhookSecret),
    ],
  );
  await client.query(
    'INSERT INTO payment_webhook_secrets (organization_id, digest) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
    [organizationId, webhookSecretDigests(account.webhookSecret)],
  );
}

/**
 * SQL for charges other than dues. Dues of the current term are not seeded, so that a dues run still has all of them to
 * issue.
 */
const OPEN_CHARGES = `(VALUES (1, 'National fee', 8500, 21), (2, 'Liability insurance', 6250, 28), (3, 'Leadership conference', 12000, 35),
  (4, 'House maintenance', 4999, 42), (5, 'Formal', 7550, 49)) AS charge(number, description, cents, due_in)`;

/**
 * Inserts last term's dues (mostly paid), this term's open charges, and charges to the chapters themselves. One
 * statement inserts all invoices; another inserts their lines, from which a trigger computes the amounts.
 */
export async function insertInvoices(client: Client, organizationId: string, blueprint: Blueprint): Promise<void> {
  await client.query(
    `CREATE TEMPORARY TABLE seeding_invoices ON COMMIT DROP AS
     WITH billed AS (
       SELECT m.id, m.chapter_id, m.status, (value->>'openInvoices')::int AS open, position,
              row_number() OVER (PARTITION BY m.chapter_id ORDER BY m.id) AS n
         FROM jsonb_array_elements($2) WITH ORDINALITY AS e(value, position)
         JOIN chapters c ON c.organization_id = $1 AND c.name = value->>'name'
         JOIN memberships m ON m.organization_id = $1 AND m.chapter_id = c.id AND m.status IN ('undergrad','associate')),
     term AS (SELECT id, starts_on, ends_on, ends_on < current_date AS past FROM terms
               WHERE organization_id = $1 AND starts_on <= current_date)
     SELECT uuidv7() AS id, b.chapter_id, t.id AS term_id, b.id AS membership_id, true AS recurring,
            'Dues' AS description, r.amount_cents AS cents, t.starts_on AS issued, t.starts_on + 30 AS due,
            b.n % 10 = 3 AS overdue, b.n % 10 <> 3 AS paid
       FROM billed b JOIN term t ON t.past
       JOIN dues_rates r ON r.organization_id = $1 AND r.term_id = t.id AND r.status = b.status
     UNION ALL
     SELECT uuidv7(), b.chapter_id, t.id, b.id, false, charge.description, charge.cents, current_date - 7,
            current_date + charge.due_in, false, false
       FROM billed b JOIN term t ON NOT t.past JOIN ${OPEN_CHARGES} ON charge.number <= b.open
     UNION ALL
     SELECT uuidv7(), b.chapter_id, t.id, b.id, false, 'Retreat', 3500, current_date - 40, current_date - 3, false, false
       FROM billed b JOIN term t ON NOT t.past WHERE b.position = 2 AND b.n <= 3
     UNION ALL
     SELECT uuidv7(), c.id, t.id, NULL, false, charge.description, charge.cents, current_date - 10, current_date + 30, false, false
       FROM chapters c JOIN term t ON NOT t.past
      CROSS JOIN (VALUES ('Chapter insurance', 150000), ('Charter fee', 45000)) AS charge(description, cents)
      WHERE c.organization_id = $1`,
    [organizationId, JSON.stringify(blueprint.chapters)],
  );
  await client.query(
    `INSERT INTO chapter_invoices (id, organization_id, chapter_id, term_id, payer_type, membership_id, is_recurring,
                                   description, issue_date, due_date, overdue_at)
     SELECT id, $1, chapter_id, term_id, CASE WHEN membership_id IS NULL THEN 'chapter' ELSE 'member' END, membership_id,
            recurring, description, issued, due, CASE WHEN overdue THEN now() END
       FROM seeding_invoices`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO invoice_line_items (organization_id, invoice_id, membership_id, description, unit_amount_cents, amount_cents)
     SELECT $1, id, membership_id, description, cents, cents FROM seeding_invoices`,
    [organizationId],
  );
  await insertHistory(client, organizationId);
  await client.query('DROP TABLE seeding_invoices');
}

/** Inserts payments by cheque for last term, some discounts, and credit of a chapter and of a member. */
async function insertHistory(client: Client, organizationId: string): Promise<void> {
  await client.query(
    `INSERT INTO payment_records (organization_id, invoice_id, processor_payment_id, amount_cents, status, paid_at)
     SELECT $1, id, 'cheque:' || id, cents, 'succeeded', due - 5 FROM seeding_invoices WHERE paid`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, category, reason, granted_by)
     SELECT $1, i.id, 1000, 'hardship', 'Hardship allowance granted for this term',
            (SELECT user_id FROM organization_admins WHERE organization_id = $1 ORDER BY id LIMIT 1)
       FROM seeding_invoices i
      WHERE i.membership_id IS NOT NULL AND NOT i.paid AND NOT i.overdue AND i.description = 'National fee'
      ORDER BY i.id LIMIT 5`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, reason)
     SELECT $1, c.id, 'chapter', NULL::uuid, 'issued', 20000, 'Deposit for the house returned' FROM chapters c
      WHERE c.organization_id = $1
     UNION ALL
     SELECT $1, m.chapter_id, 'member', m.membership_id, 'issued', 2500, 'Conference fee returned'
       FROM (SELECT DISTINCT ON (chapter_id) chapter_id, membership_id FROM seeding_invoices
              WHERE membership_id IS NOT NULL ORDER BY chapter_id, membership_id) m`,
    [organizationId],
  );
}
