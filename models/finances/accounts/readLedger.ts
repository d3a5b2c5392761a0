import { type PageRequest, requirePage } from '../../database/page.js';
import { firstRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';

export const LEDGER_KINDS = [
  'invoice',
  'void',
  'discount',
  'payment',
  'refund',
  'dispute',
  'plan',
  'credit_issued',
  'credit_applied',
  'credit_refunded',
  'credit_reversed',
  'credit_shortfall',
  'credit_recovered',
  'credit_moved_out',
  'credit_moved_in',
] as const;

export interface LedgerEntry {
  kind: (typeof LEDGER_KINDS)[number];
  /**
   * Id of the source row: invoice, discount, payment, audit log entry of a refund or a dispute, plan or credit entry.
   */
  id: string;
  invoice: string | null;
  description: string;
  amount_cents: number;
  credit_cents: number;
  occurred_at: string;
}

export interface MemberLedger {
  membership: string;
  chapter: string;
  chapter_name: string;
  currency: string;
  balance_due_cents: number;
  available_credit_cents: number;
  shortfall_cents: number;
  count: number;
  results: LedgerEntry[];
}

/**
 * SQL of the ledger entries, each with its effect on the debt (`amount_cents`) and on the credit (`credit_cents`). The
 * part of a payment that became credit does not reduce the debt.
 */
const ENTRIES = `
  invoices AS (SELECT * FROM chapter_invoices WHERE organization_id = (SELECT app.org_id()) AND membership_id = $1),
  given_back AS (
    SELECT a.id, p.id AS payment_id, p.invoice_id, a.action, a.created_at,
           CASE WHEN a.action IN ('payment.refunded', 'payment.disputed') THEN (a.after->>'refunded_cents')::bigint
             ELSE -(a.after->>'amount_cents')::bigint END AS cents
      FROM invoices i JOIN audit_log a ON a.organization_id = i.organization_id AND a.subject_type = 'invoice' AND a.subject_id = i.id
      JOIN payment_records p ON p.organization_id = a.organization_id AND p.id = (a.after->>'payment_id')::uuid AND p.status = 'succeeded'
     WHERE a.action IN ('payment.refunded', 'payment.refund_failed', 'payment.disputed', 'payment.reinstated')),
  entries AS (
    SELECT 'invoice' AS kind, id, id AS invoice, description, total_cents AS amount_cents, 0::bigint AS credit_cents, created_at AS occurred_at
      FROM invoices
    UNION ALL SELECT 'void', id, id, 'Voided: ' || description, discount_cents - total_cents, 0, voided_at FROM invoices WHERE status = 'void'
    UNION ALL SELECT 'discount', d.id, d.invoice_id, 'Discount', -d.amount_cents, 0, d.created_at
      FROM invoice_discounts d JOIN invoices i ON d.organization_id = i.organization_id AND d.invoice_id = i.id WHERE d.voided_at IS NULL
    UNION ALL SELECT 'payment', p.id, p.invoice_id, 'Payment' || coalesce(' received on ' || p.received_on, ''), -p.amount_cents, 0, p.paid_at
      FROM payment_records p JOIN invoices i ON p.organization_id = i.organization_id AND p.invoice_id = i.id WHERE p.status = 'succeeded'
    UNION ALL SELECT CASE WHEN action IN ('payment.refunded', 'payment.refund_failed') THEN 'refund' ELSE 'dispute' END, id, invoice_id,
           CASE action WHEN 'payment.refunded' THEN 'Refund' WHEN 'payment.refund_failed' THEN 'Failed refund'
             WHEN 'payment.disputed' THEN 'Disputed with the bank' ELSE 'Returned by the bank' END, cents, 0, created_at
      FROM given_back
    -- Adds refunds that were imported from earlier books, because they have no audit log entry.
    UNION ALL SELECT 'refund', p.id, p.invoice_id, 'Refund', p.refunded_cents - g.cents, 0, p.paid_at
      FROM payment_records p JOIN invoices i ON p.organization_id = i.organization_id AND p.invoice_id = i.id
     CROSS JOIN LATERAL (SELECT coalesce(sum(cents), 0)::bigint AS cents FROM given_back WHERE payment_id = p.id) g
     WHERE p.status = 'succeeded' AND p.refunded_cents <> g.cents
    UNION ALL SELECT 'plan', p.id, p.invoice_id, 'Payment plan started', 0, 0, p.created_at
      FROM payment_plans p JOIN invoices i ON p.organization_id = i.organization_id AND p.invoice_id = i.id
    UNION ALL SELECT 'plan', p.id, p.invoice_id, CASE p.status WHEN 'completed' THEN 'Payment plan completed' ELSE 'Payment plan ended' END, 0, 0, p.ended_at
      FROM payment_plans p JOIN invoices i ON p.organization_id = i.organization_id AND p.invoice_id = i.id WHERE p.ended_at IS NOT NULL
    UNION ALL SELECT 'credit_' || c.kind, c.id, c.invoice_id, c.reason,
           CASE WHEN c.kind IN ('moved_out', 'moved_in') OR (root.payment AND coalesce(i.membership_id, $1) <> $1) THEN 0
                WHEN root.kind = 'applied' OR root.payment THEN CASE c.kind WHEN 'shortfall' THEN -c.amount_cents ELSE app.credit_effect(c) END
                ELSE 0 END, app.credit_effect(c), c.created_at
      FROM chapter_account_credits c
      LEFT JOIN chapter_account_credits o ON o.organization_id = c.organization_id AND o.id = c.reverses
      LEFT JOIN chapter_invoices i ON i.organization_id = c.organization_id AND i.id = c.invoice_id
      CROSS JOIN LATERAL (SELECT coalesce(o.kind, c.kind) AS kind, coalesce(o.payment_record_id, c.payment_record_id) IS NOT NULL AS payment) root
     WHERE c.organization_id = (SELECT app.org_id()) AND c.chapter_id = (SELECT chapter_id FROM memberships WHERE id = $1) AND c.membership_id = $1
    -- Adds credit entries of other memberships if the credit came from payments of this account and has moved to
    -- another chapter.
    UNION ALL SELECT 'credit_' || c.kind, c.id, c.invoice_id, c.reason,
           CASE c.kind WHEN 'shortfall' THEN -c.amount_cents ELSE app.credit_effect(c) END, 0, c.created_at
      FROM invoices i JOIN chapter_account_credits c ON c.organization_id = i.organization_id AND c.invoice_id = i.id
     WHERE c.payment_record_id IS NOT NULL AND c.membership_id <> $1 AND c.kind NOT IN ('moved_out', 'moved_in'))`;

/**
 * Reads a member's account in one statement: the balance, then a page of ledger entries, newest first.
 * @param chapters limits the access to memberships of these chapters; null: no limit
 * @throws Refusal not_found, page_not_found
 */
export async function readLedger(
  membershipId: string,
  { page, pageSize }: PageRequest,
  chapters: string[] | null = null,
): Promise<MemberLedger> {
  const ledger = await firstRow<MemberLedger>(
    `WITH ${ENTRIES}
     SELECT m.id AS membership, m.chapter_id AS chapter, c.name AS chapter_name,
            coalesce((SELECT currency FROM org_dues_settings s WHERE s.organization_id = m.organization_id), 'usd') AS currency,
            (SELECT coalesce(sum(balance_due_cents), 0)::bigint FROM invoices) AS balance_due_cents,
            app.credit_balance(m.chapter_id, m.id) AS available_credit_cents,
            app.credit_shortfall(m.organization_id, m.chapter_id, m.id) AS shortfall_cents,
            (SELECT count(*)::int FROM entries) AS count,
            (SELECT coalesce(json_agg(e ORDER BY e.occurred_at DESC, e.id DESC, e.kind), '[]') FROM (
               SELECT * FROM entries ORDER BY occurred_at DESC, id DESC, kind LIMIT $2 OFFSET $3) e) AS results
       FROM memberships m JOIN chapters c ON c.organization_id = m.organization_id AND c.id = m.chapter_id
      WHERE m.organization_id = (SELECT app.org_id()) AND m.id = $1 AND ($4::uuid[] IS NULL OR m.chapter_id = ANY($4))`,
    [membershipId, pageSize, (page - 1) * pageSize, chapters],
  );
  if (!ledger) throw refuse.not_found();
  requirePage(page, ledger.results);
  return ledger;
}
