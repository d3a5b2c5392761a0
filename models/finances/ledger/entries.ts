/** Kinds of entries in a payer's account; remittances occur only in a chapter's. */
export const ACCOUNT_KINDS = [
  'invoice',
  'fee',
  'void',
  'adjustment',
  'payment',
  'refund',
  'refund_failed',
  'dispute',
  'dispute_reinstated',
  'credit_issued',
  'credit_applied',
  'credit_refunded',
  'credit_reversed',
  'credit_shortfall',
  'credit_recovered',
  'credit_moved_out',
  'credit_moved_in',
  'remittance',
] as const;

/** SQL: the rank of an entry within one transaction, in the order that an invoice's explanation uses. */
const RANK = `CASE f.kind WHEN 'void' THEN 0 WHEN 'invoice' THEN 1 WHEN 'fee' THEN 1 WHEN 'refund' THEN 2 WHEN 'dispute' THEN 2
  WHEN 'payment' THEN 4 WHEN 'refund_failed' THEN 4 WHEN 'dispute_reinstated' THEN 4 WHEN 'credit_issued' THEN 5 WHEN 'remittance' THEN 6 ELSE 3 END`;

const joinInvoices = (table: string, alias: string): string =>
  `invoices i JOIN ${table} ${alias} ON ${alias}.organization_id = i.organization_id AND ${alias}.invoice_id = i.id`;

/** SQL of remittances: they pay members' debts and change nothing in the chapter's own account. */
const REMITTANCES = `
    UNION ALL SELECT 'remittance', r.id, NULL, 'Remittance for members', r.total_cents, 0, 0, r.settled_at
      FROM chapter_remittances r
     WHERE r.organization_id = (SELECT app.org_id()) AND r.chapter_id = $1 AND r.settled_at IS NOT NULL
       AND ($2::uuid IS NULL OR EXISTS (SELECT FROM chapter_remittance_allocations a
         JOIN chapter_invoices i ON i.organization_id = a.organization_id AND i.id = a.invoice_id
        WHERE a.organization_id = r.organization_id AND a.remittance_id = r.id AND i.term_id = $2))`;

const CREDIT_TEXT = `CASE c.kind WHEN 'issued' THEN 'Credit' WHEN 'applied' THEN 'Credit applied' WHEN 'refunded' THEN 'Credit paid out'
  WHEN 'reversed' THEN 'Credit entry reversed' WHEN 'shortfall' THEN 'Credit shortfall'
  WHEN 'moved_out' THEN 'Credit moved to another chapter' WHEN 'moved_in' THEN 'Credit moved from another chapter'
  ELSE 'Credit shortfall covered' END`;

/**
 * SQL of entries about credit that came from payments of this account and now belongs to another chapter. A later
 * refund of such a payment appears in this account, and these entries offset it.
 */
const MOVED_CREDIT = `
    UNION ALL SELECT 'credit_' || c.kind, c.id, c.invoice_id, ${CREDIT_TEXT}, c.amount_cents,
           CASE c.kind WHEN 'shortfall' THEN -c.amount_cents ELSE app.credit_effect(c) END, 0, c.created_at
      FROM payments p JOIN chapter_account_credits c ON c.organization_id = p.organization_id AND c.payment_record_id = p.id
     WHERE c.membership_id <> $1 AND c.kind NOT IN ('moved_out', 'moved_in')`;

export type AccountType = 'chapter' | 'member';

/** SQL condition for rows of one payer's account; `$1` is a chapter or a membership. */
const OWNED_BY: Record<AccountType, (row: string) => string> = {
  chapter: (row) => `${row}.chapter_id = $1 AND ${row}.payer_type = 'chapter' AND ${row}.membership_id IS NULL`,
  member: (row) => `${row}.membership_id = $1`,
};

/**
 * SQL of CTEs with the invoices of one payer, a chapter or a member (only of term `$2`, unless it is null), and what
 * happened to them. An invoice and the invoices that replaced it form one family, because payments move to the
 * replacement: an earlier payment counts in the family from the time at which it was made.
 */
const factsOf = (payer: AccountType): string => `
  invoices AS MATERIALIZED (
    SELECT * FROM chapter_invoices i WHERE i.organization_id = (SELECT app.org_id()) AND ${OWNED_BY[payer]('i')}
       AND ($2::uuid IS NULL OR i.term_id = $2)),
  families AS (
    SELECT i.id, i.id AS family FROM invoices i WHERE i.replaces IS NULL OR NOT EXISTS (SELECT FROM invoices o WHERE o.id = i.replaces)
    UNION ALL SELECT i.id, o.family FROM families o JOIN invoices i ON i.replaces = o.id),
  payments AS MATERIALIZED (SELECT p.* FROM ${joinInvoices('payment_records', 'p')} WHERE p.status = 'succeeded'),
  given_back AS MATERIALIZED (
    SELECT a.id, p.id AS payment_id, p.invoice_id, a.created_at AS at,
           CASE a.action WHEN 'payment.refunded' THEN 'refund' WHEN 'payment.disputed' THEN 'dispute'
             WHEN 'payment.reinstated' THEN 'dispute_reinstated' ELSE 'refund_failed' END AS kind,
           CASE WHEN a.action IN ('payment.refunded', 'payment.disputed') THEN (a.after->>'refunded_cents')::bigint
             ELSE -(a.after->>'amount_cents')::bigint END AS change_cents
      FROM invoices i JOIN audit_log a ON a.organization_id = i.organization_id AND a.subject_type = 'invoice' AND a.subject_id = i.id
      JOIN payments p ON p.id = (a.after->>'payment_id')::uuid
     WHERE a.action IN ('payment.refunded', 'payment.refund_failed', 'payment.disputed', 'payment.reinstated')),
  facts AS (
    SELECT 'invoice' AS kind, i.id, i.id AS invoice, i.description, l.cents AS amount_cents, l.cents AS change_cents, 0::bigint AS credit_cents,
           i.created_at AS at
      FROM invoices i CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM invoice_line_items l
        WHERE l.organization_id = i.organization_id AND l.invoice_id = i.id AND NOT l.is_fee) l
    UNION ALL SELECT 'fee', l.id, i.id, l.description, l.amount_cents, l.amount_cents, 0, l.created_at
      FROM ${joinInvoices('invoice_line_items', 'l')} WHERE l.is_fee
    UNION ALL SELECT 'void', i.id, i.id, 'Voided: ' || i.description, i.total_cents - i.discount_cents, i.discount_cents - i.total_cents, 0, i.voided_at
      FROM invoices i WHERE i.status = 'void'
    UNION ALL SELECT 'adjustment', d.id, i.id, 'Adjustment', d.amount_cents, -d.amount_cents, 0, d.created_at
      FROM ${joinInvoices('invoice_discounts', 'd')}
    UNION ALL SELECT 'adjustment', d.id, i.id, 'Adjustment voided', d.amount_cents, d.amount_cents, 0, d.voided_at
      FROM ${joinInvoices('invoice_discounts', 'd')} WHERE d.voided_at IS NOT NULL
    UNION ALL SELECT 'payment', p.id, p.invoice_id, 'Payment' || coalesce(' received on ' || p.received_on, ''), p.amount_cents, -p.amount_cents, 0,
           p.paid_at FROM payments p
    UNION ALL SELECT g.kind, g.id, g.invoice_id, CASE g.kind WHEN 'refund' THEN 'Refund' WHEN 'dispute' THEN 'Disputed with the bank'
             WHEN 'dispute_reinstated' THEN 'Returned by the bank' ELSE 'Failed refund' END, abs(g.change_cents),
           g.change_cents, 0, g.at FROM given_back g
    -- Adds refunds that were imported from earlier books, because they have no audit log entry.
    UNION ALL SELECT 'refund', p.id, p.invoice_id, 'Refund', abs(p.refunded_cents - g.cents), p.refunded_cents - g.cents, 0, p.paid_at
      FROM payments p CROSS JOIN LATERAL (SELECT coalesce(sum(change_cents), 0)::bigint AS cents FROM given_back WHERE payment_id = p.id) g
     WHERE p.refunded_cents <> g.cents
    UNION ALL SELECT 'credit_' || c.kind, c.id, c.invoice_id, ${CREDIT_TEXT}, c.amount_cents,
           CASE WHEN c.kind NOT IN ('moved_out', 'moved_in') AND (root.kind = 'applied' OR root.payment)
                THEN CASE c.kind WHEN 'shortfall' THEN -c.amount_cents ELSE app.credit_effect(c) END
                ELSE 0 END, app.credit_effect(c), c.created_at
      FROM chapter_account_credits c
      LEFT JOIN chapter_account_credits o ON o.organization_id = c.organization_id AND o.id = c.reverses
      CROSS JOIN LATERAL (SELECT coalesce(o.kind, c.kind) AS kind, coalesce(o.payment_record_id, c.payment_record_id) IS NOT NULL AS payment) root
     WHERE c.organization_id = (SELECT app.org_id()) AND ${OWNED_BY[payer]('c')}
       AND ($2::uuid IS NULL OR c.invoice_id IN (SELECT id FROM invoices))
    ${payer === 'chapter' ? REMITTANCES : MOVED_CREDIT})`;

/**
 * SQL of CTEs (for WITH RECURSIVE) that end in `ledger_entries`: each entry with its effect on the debt, and the debt
 * after it. The debt never falls below zero for an invoice together with the invoices that replaced it. `$1` is the
 * chapter or the membership, `$2` a term or null.
 */
export const entriesOf = (payer: AccountType): string => `${factsOf(payer)},
  summed AS (
    SELECT f.*, ${RANK} AS rank, m.family,
           sum(f.change_cents) OVER (PARTITION BY m.family ORDER BY f.at, ${RANK}, f.id, f.change_cents ROWS UNBOUNDED PRECEDING) AS sum_cents
      FROM facts f LEFT JOIN families m ON m.id = f.invoice),
  changed AS (
    SELECT *, CASE WHEN family IS NULL THEN 0 ELSE greatest(sum_cents, 0) - greatest(sum_cents - change_cents, 0) END::bigint AS effect_cents
      FROM summed),
  ledger_entries AS (
    SELECT *, row_number() OVER running AS position, (sum(effect_cents) OVER running)::bigint AS running_balance_cents,
           app.local_day_of((SELECT timezone FROM organizations WHERE id = (SELECT app.org_id())), at) AS day
      FROM changed WINDOW running AS (ORDER BY at, rank, id, change_cents ROWS UNBOUNDED PRECEDING))`;

/** SQL: whether entry `t` of `ledger_entries` is within the days from `$3` to `$4`; either may be null. */
export const WITHIN = '($3::date IS NULL OR t.day >= $3::date) AND ($4::date IS NULL OR t.day <= $4::date)';

/** SQL of two balances: before the first day `$3`, and after the last day `$4`. */
export const BALANCES = `coalesce((SELECT sum(t.effect_cents) FROM ledger_entries t WHERE t.day < $3::date), 0)::bigint AS opening_balance_cents,
  coalesce((SELECT sum(t.effect_cents) FROM ledger_entries t WHERE $4::date IS NULL OR t.day <= $4::date), 0)::bigint AS closing_balance_cents`;
