import { firstJson } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { ENTRIES_JSON, type Explanation } from './explanation.js';

export const INVOICE_CAUSES = [
  'line',
  'fee',
  'discount',
  'discount_voided',
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
  'void',
] as const;
export type InvoiceCause = (typeof INVOICE_CAUSES)[number];

/**
 * SQL: the rank of an entry among the entries of one transaction. Entries that undo something come before the entries
 * that replace it, and payments before the credit that they became.
 */
const RANK = `CASE kind WHEN 'void' THEN 0 WHEN 'line' THEN 1 WHEN 'fee' THEN 1 WHEN 'discount_voided' THEN 1 WHEN 'refund' THEN 2
  WHEN 'dispute' THEN 2 WHEN 'payment' THEN 4 WHEN 'refund_failed' THEN 4 WHEN 'dispute_reinstated' THEN 4 WHEN 'credit_issued' THEN 5 ELSE 3 END`;

/**
 * SQL of the entries that explain an invoice's amounts: every fact that `app.recompute_invoices` sums up. The invoice
 * lines come first, even if imported books contain payments that are older than the invoice.
 */
const FACTS = `
  invoice AS (SELECT * FROM chapter_invoices WHERE organization_id = (SELECT app.org_id()) AND id = $1),
  -- Includes the invoices that this one replaces: its payments may have moved from them, and their audit entries still
  -- name the old invoice.
  chain AS (
    SELECT organization_id, id, replaces FROM invoice
    UNION ALL SELECT r.organization_id, r.id, r.replaces FROM chain c
      JOIN chapter_invoices r ON r.organization_id = c.organization_id AND r.id = c.replaces),
  noted AS (
    SELECT a.id, a.action, a.subject_id, a.actor_user_id, a.after, a.created_at FROM audit_log a JOIN chain i ON a.organization_id = i.organization_id
     WHERE a.subject_id = i.id AND a.subject_type = 'invoice' AND (a.subject_id = $1 OR a.action LIKE 'payment.%')
       AND a.action IN ('invoice.fee_added', 'invoice.regenerated', 'invoice.voided', 'payment.refunded', 'payment.refund_failed',
         'payment.disputed', 'payment.reinstated')),
  payments AS (
    SELECT p.*, t.requested_by,
           CASE WHEN t.remittance_id IS NOT NULL THEN 'remittance-payment/' || t.remittance_id || '/' || t.id
                WHEN t.id IS NOT NULL THEN 'hosted-page/' || t.id END AS process
      FROM invoice i JOIN payment_records p ON p.organization_id = i.organization_id AND p.invoice_id = i.id
      LEFT JOIN payment_attempts t ON t.organization_id = p.organization_id AND t.intent_id = p.intent_id
     WHERE p.status = 'succeeded'),
  given_back AS (
    SELECT p.id AS payment_id, p.processor_id, p.intent_id, n.action IN ('payment.refunded', 'payment.disputed') AS went,
           n.action IN ('payment.disputed', 'payment.reinstated') AS disputed, n.created_at AS at,
           (n.after->>CASE WHEN n.action IN ('payment.refunded', 'payment.disputed') THEN 'refunded_cents' ELSE 'amount_cents' END)::bigint AS amount_cents,
           n.actor_user_id, n.after->>'reason' AS reason, (n.after->>'refund_id')::uuid AS refund_id
      FROM noted n JOIN payments p ON p.id = (n.after->>'payment_id')::uuid
     WHERE n.action IN ('payment.refunded', 'payment.refund_failed', 'payment.disputed', 'payment.reinstated')),
  facts AS (
    SELECT CASE WHEN l.is_fee THEN 'fee' ELSE 'line' END AS kind, l.id, l.amount_cents, l.amount_cents AS change_cents, l.created_at AS at,
           l.description AS reason, coalesce(n.actor_user_id, r.started_by) AS actor_id,
           'dues-run/' || r.id AS process,
           NULL AS gateway_object, NULL AS gateway_event
      FROM invoice i JOIN invoice_line_items l ON l.organization_id = i.organization_id AND l.invoice_id = i.id
      LEFT JOIN noted n ON n.after->>'line_id' = l.id::text OR (n.action = 'invoice.regenerated' AND NOT l.is_fee)
      LEFT JOIN dues_runs r ON r.organization_id = i.organization_id AND r.id = i.dues_run_id AND NOT l.is_fee
    UNION ALL SELECT 'discount', d.id, d.amount_cents, -d.amount_cents, d.created_at, d.reason, coalesce(d.granted_by, r.requested_by),
           'refund/' || CASE WHEN r.capture_id IS NOT NULL THEN r.id END, NULL, NULL
      FROM invoice i JOIN invoice_discounts d ON d.organization_id = i.organization_id AND d.invoice_id = i.id
      LEFT JOIN refunds r ON r.organization_id = i.organization_id AND r.invoice_id = i.id AND r.waiver_id = d.id
    UNION ALL SELECT 'discount_voided', d.id, d.amount_cents, d.amount_cents, d.voided_at, d.void_reason, d.voided_by, NULL, NULL, NULL
      FROM invoice i JOIN invoice_discounts d ON d.organization_id = i.organization_id AND d.invoice_id = i.id WHERE d.voided_at IS NOT NULL
    UNION ALL SELECT 'payment', p.id, p.amount_cents, -p.amount_cents, p.paid_at, p.reference, coalesce(p.recorded_by, p.requested_by), p.process,
           p.intent_id, (SELECT w.event_id FROM webhook_events w WHERE w.organization_id = p.organization_id AND w.processor_id = p.processor_id
             AND w.payload->>'intentId' = p.intent_id AND w.type = 'payment_intent.succeeded' ORDER BY w.id LIMIT 1)
      FROM payments p
    UNION ALL SELECT CASE WHEN g.disputed THEN CASE WHEN g.went THEN 'dispute' ELSE 'dispute_reinstated' END
             WHEN g.went THEN 'refund' ELSE 'refund_failed' END, coalesce(g.refund_id, r.id, bank.id, g.payment_id), g.amount_cents,
           CASE WHEN g.went THEN g.amount_cents ELSE -g.amount_cents END, g.at, coalesce(g.reason, r.reason, bank.reason),
           coalesce(r.requested_by, g.actor_user_id), 'refund/' || r.id, coalesce(r.gateway_refund_id, bank.gateway_dispute_id),
           (SELECT w.event_id FROM webhook_events w WHERE w.organization_id = i.organization_id AND w.processor_id = g.processor_id
             AND w.payload->>'intentId' = g.intent_id AND w.processed_at = g.at ORDER BY w.id LIMIT 1)
      FROM given_back g CROSS JOIN invoice i
      -- Joins the platform's own refund that finished at the time of this change. If several refunds finished at that
      -- time, it is unknown which one caused the change: none is joined, and the entry has the id of the payment.
      LEFT JOIN LATERAL (SELECT (array_agg(f.id))[1] AS id, min(f.reason) AS reason, (array_agg(f.requested_by))[1] AS requested_by,
                                min(f.gateway_refund_id) AS gateway_refund_id
        FROM refunds f WHERE f.organization_id = i.organization_id AND f.payment_record_id = g.payment_id AND f.finished_at = g.at
         AND f.capture_id IS NOT NULL AND NOT g.disputed HAVING count(*) = 1) r ON true
      LEFT JOIN LATERAL (SELECT d.id, d.reason, d.gateway_dispute_id FROM processor_captures c
          JOIN payment_disputes d ON d.organization_id = c.organization_id AND d.capture_id = c.id
         WHERE c.organization_id = i.organization_id AND c.processor_id = g.processor_id AND c.intent_id = g.intent_id
           AND d.created_at <= g.at ORDER BY d.id DESC LIMIT 1) bank ON g.disputed
    -- Adds refunds that were imported from earlier books, because they have no audit log entry.
    UNION ALL SELECT 'refund', p.id, abs(p.refunded_cents - g.cents), p.refunded_cents - g.cents, p.paid_at, NULL, NULL, NULL, NULL, NULL
      FROM payments p CROSS JOIN LATERAL (SELECT coalesce(sum(CASE WHEN went THEN amount_cents ELSE -amount_cents END), 0)::bigint AS cents
        FROM given_back WHERE payment_id = p.id) g WHERE p.refunded_cents <> g.cents
    UNION ALL SELECT 'credit_' || c.kind, c.id, c.amount_cents,
           CASE c.kind WHEN 'shortfall' THEN -c.amount_cents ELSE app.credit_effect(c) END, c.created_at, c.reason, c.created_by, NULL, NULL, NULL
      FROM invoice i JOIN chapter_account_credits c ON c.organization_id = i.organization_id AND c.invoice_id = i.id
      LEFT JOIN chapter_account_credits o ON o.organization_id = c.organization_id AND o.id = c.reverses
     WHERE coalesce(o.kind, c.kind) = 'applied'
        OR (coalesce(o.payment_record_id, c.payment_record_id) IS NOT NULL AND c.kind NOT IN ('moved_out', 'moved_in'))
    UNION ALL SELECT 'void', i.id, NULL, 0, i.voided_at, i.void_reason, n.actor_user_id, NULL, NULL, NULL
      FROM invoice i LEFT JOIN noted n ON n.action = 'invoice.voided' WHERE i.status = 'void'),
  added AS (
    SELECT *, row_number() OVER running AS position, bool_or(kind = 'void') OVER running AS is_void, sum(change_cents) OVER running AS sum_cents
      FROM (SELECT *, ${RANK} AS rank FROM facts) ranked WINDOW running AS (ORDER BY kind <> 'line', at, rank, id ROWS UNBOUNDED PRECEDING)),
  balanced AS (SELECT *, CASE WHEN is_void THEN 0 ELSE greatest(sum_cents, 0) END::bigint AS running_balance_cents FROM added),
  changed AS (
    SELECT *, running_balance_cents - coalesce(lag(running_balance_cents) OVER (ORDER BY position), 0) AS effect_cents FROM balanced),
  explained AS (
    SELECT kind, id, coalesce(amount_cents, -effect_cents) AS amount_cents, effect_cents, running_balance_cents, at, reason, actor_id, process,
           gateway_object, gateway_event, position FROM changed)`;

/** Explains an invoice's balance, in one statement. @throws Refusal not_found */
export async function explainInvoice(id: string): Promise<Explanation<InvoiceCause>> {
  return requireFound(
    await firstJson<Explanation<InvoiceCause>>(
      `WITH RECURSIVE ${FACTS}
       SELECT i.currency, i.balance_due_cents AS balance_cents, ${ENTRIES_JSON} AS entries FROM invoice i`,
      [id],
    ),
  );
}
