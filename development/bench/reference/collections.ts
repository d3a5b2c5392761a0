/** The reference for a chapter's billing roster and ledger: queries written by hand for one tenant. */
import { type Kysely, sql } from 'kysely';
import type { PageRequest } from '../../../models/database/page.js';
import type { Tables } from './tables.js';

type Db = Kysely<Tables>;

const FORMER = sql.raw(`('alumni', 'active_alumni', 'lifetime_alumni', 'disaffiliated', 'inactive')`);

interface RosterRow {
  bucket: string;
}

/** Returns a page of the roster, delinquent members first. Reads all members of the chapter and cuts the page here. */
export async function readCollectionRoster(
  db: Db,
  organization: string,
  chapter: string,
  { page, pageSize }: PageRequest,
) {
  const { rows } = await sql<RosterRow>`
    WITH day AS (SELECT (now() AT TIME ZONE timezone)::date AS today, timezone FROM organizations WHERE id = ${organization}),
    owed AS (
      SELECT i.membership_id, count(*)::int AS open_invoices, (count(*) FILTER (WHERE i.due_date < today))::int AS overdue_invoices,
             min(i.due_date) AS oldest_due_date, sum(i.balance_due_cents)::int AS balance_cents,
             bool_or(i.due_date < today AND NOT EXISTS (SELECT 1 FROM payment_plan_requests r
               WHERE r.invoice_id = i.id AND r.status = 'pending' AND today <= r.freeze_anchor + 2)) AS behind
        FROM chapter_invoices i, day
       WHERE i.organization_id = ${organization} AND i.chapter_id = ${chapter} AND i.membership_id IS NOT NULL
         AND i.status IN ('open', 'overdue', 'partially_paid') AND i.balance_due_cents > 0 GROUP BY i.membership_id),
    credit AS (
      SELECT c.membership_id, greatest(0, sum(app.credit_effect(c)))::int AS cents FROM chapter_account_credits c
       WHERE c.organization_id = ${organization} AND c.chapter_id = ${chapter} GROUP BY c.membership_id),
    asked AS (
      SELECT r.membership_id, min(r.freeze_anchor + 3) FILTER (WHERE today <= r.freeze_anchor + 2) AS thaws FROM payment_plan_requests r, day
       WHERE r.organization_id = ${organization} AND r.chapter_id = ${chapter} AND r.status = 'pending' GROUP BY r.membership_id),
    planned AS (
      SELECT p.membership_id, min(i.due_date) AS next_due_date FROM payment_plans p JOIN chapter_invoices i ON i.id = p.invoice_id
       WHERE p.organization_id = ${organization} AND p.chapter_id = ${chapter} AND p.status = 'active' GROUP BY p.membership_id)
    SELECT m.id AS membership, u.first_name || ' ' || u.last_name AS name, m.status, m.status IN ${FORMER} AS is_former,
           CASE WHEN d.behind THEN 'delinquent' WHEN a.membership_id IS NOT NULL THEN 'pending_request' WHEN p.membership_id IS NOT NULL THEN 'on_plan'
                WHEN d.open_invoices > 0 THEN 'due' WHEN c.cents > 0 THEN 'credit'
                WHEN EXISTS (SELECT 1 FROM chapter_invoices i WHERE i.organization_id = ${organization} AND i.membership_id = m.id AND i.status <> 'void')
                THEN 'settled' ELSE 'none' END AS bucket,
           coalesce(d.open_invoices, 0) AS open_invoices, coalesce(d.overdue_invoices, 0) AS overdue_invoices, d.oldest_due_date,
           coalesce(d.balance_cents, 0) AS balance_cents, coalesce(c.cents, 0) AS credit_cents,
           CASE WHEN p.membership_id IS NOT NULL THEN json_build_object('next_due_date', p.next_due_date, 'is_late', p.next_due_date < today) END AS plan,
           a.thaws::timestamp AT TIME ZONE timezone AS freeze_expires_at
      FROM memberships m JOIN users u ON u.id = m.user_id CROSS JOIN day
      LEFT JOIN owed d ON d.membership_id = m.id LEFT JOIN credit c ON c.membership_id = m.id
      LEFT JOIN asked a ON a.membership_id = m.id LEFT JOIN planned p ON p.membership_id = m.id
     WHERE m.organization_id = ${organization} AND m.chapter_id = ${chapter} AND (m.status NOT IN ${FORMER} OR d.open_invoices > 0)
     ORDER BY coalesce(d.behind, false) DESC, d.oldest_due_date NULLS LAST, lower(u.last_name || ' ' || u.first_name), m.id`.execute(
    db,
  );
  return { count: rows.length, results: rows.slice((page - 1) * pageSize, page * pageSize) };
}

interface Entry {
  kind: string;
  invoice: string | null;
  change: number;
}

/**
 * Returns a page of the ledger, newest first. The effect of each entry is computed here; an invoice's balance never
 * goes below zero.
 */
export async function readChapterLedger(
  db: Db,
  organization: string,
  chapter: string,
  { page, pageSize }: PageRequest,
) {
  const own = sql`SELECT * FROM chapter_invoices WHERE organization_id = ${organization} AND chapter_id = ${chapter} AND payer_type = 'chapter'`;
  const { rows: named } = await sql<{ chapter_name: string; currency: string }>`
    SELECT c.name AS chapter_name, coalesce(s.currency, 'usd') AS currency FROM chapters c
      LEFT JOIN org_dues_settings s ON s.organization_id = c.organization_id WHERE c.id = ${chapter}`.execute(db);
  const { rows } = await sql<Entry>`
    WITH own AS (${own}), entries AS (
      SELECT 'invoice' AS kind, i.id, i.id AS invoice, i.description, i.total_cents AS cents, i.total_cents AS change, 0 AS credit_cents, i.created_at AS at, 1 AS rank FROM own i
      UNION ALL SELECT 'void', i.id, i.id, 'Voided: ' || i.description, i.total_cents - i.discount_cents, i.discount_cents - i.total_cents, 0, i.voided_at, 0
        FROM own i WHERE i.status = 'void'
      UNION ALL SELECT 'adjustment', d.id, i.id, 'Adjustment', d.amount_cents, -d.amount_cents, 0, d.created_at, 3 FROM own i JOIN invoice_discounts d ON d.invoice_id = i.id
      UNION ALL SELECT 'payment', p.id, i.id, 'Payment', p.amount_cents, -p.amount_cents, 0, p.paid_at, 4
        FROM own i JOIN payment_records p ON p.invoice_id = i.id AND p.status = 'succeeded'
      UNION ALL SELECT 'credit_' || c.kind, c.id, c.invoice_id, CASE c.kind WHEN 'issued' THEN 'Credit' WHEN 'applied' THEN 'Credit applied' ELSE 'Credit paid out' END,
               c.amount_cents, CASE WHEN c.kind = 'applied' OR c.payment_record_id IS NOT NULL THEN app.credit_effect(c) ELSE 0 END, app.credit_effect(c),
               c.created_at, CASE c.kind WHEN 'issued' THEN 5 ELSE 3 END
        FROM chapter_account_credits c WHERE c.organization_id = ${organization} AND c.chapter_id = ${chapter} AND c.payer_type = 'chapter'
      UNION ALL SELECT 'remittance', r.id, NULL, 'Remittance for members', r.total_cents, 0, 0, r.settled_at, 6
        FROM chapter_remittances r WHERE r.organization_id = ${organization} AND r.chapter_id = ${chapter} AND r.settled_at IS NOT NULL)
    SELECT kind, id, invoice, description, cents::int AS amount_cents, change::int AS change, credit_cents::int AS credit_cents, at AS occurred_at
      FROM entries ORDER BY at, rank, id, change`.execute(db);
  const owed = new Map<string | null, number>();
  let balance = 0;
  const entries = rows.map(({ change, ...entry }) => {
    const [before, after] = [owed.get(entry.invoice) ?? 0, (owed.get(entry.invoice) ?? 0) + change];
    owed.set(entry.invoice, after);
    const effect = entry.invoice === null ? 0 : Math.max(after, 0) - Math.max(before, 0);
    balance += effect;
    const explain = entry.invoice && `/api/invoices/${entry.invoice}/explain/`;
    return { ...entry, effect_cents: effect, running_balance_cents: balance, explain };
  });
  return {
    account: { chapter, ...named[0], opening_balance_cents: 0, closing_balance_cents: balance },
    count: entries.length,
    results: entries.toReversed().slice((page - 1) * pageSize, page * pageSize),
  };
}
