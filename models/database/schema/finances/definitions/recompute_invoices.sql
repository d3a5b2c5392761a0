-- Derives amounts and status of invoices from their lines, discounts, payments and credit; no amount falls below zero.
-- A credit entry names the invoice that it was applied to, or the invoice of the payment that it came from, so an
-- overpayment that became credit does not pay the same invoice twice. If a paid invoice becomes due again, its due date
-- is at least a week away. The first statement locks the invoices and the second one sums them, so that no concurrent
-- change is lost.
CREATE OR REPLACE FUNCTION app.recompute_invoices(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  SELECT FROM chapter_invoices WHERE id = ANY(ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE chapter_invoices i SET
    total_cents = s.total, discount_cents = s.discount, credit_cents = s.credit, paid_cents = s.paid,
    overpaid_cents = s.overpaid, balance_due_cents = s.due,
    status = CASE WHEN i.status = 'void' THEN 'void' WHEN s.due = 0 AND s.total > 0 THEN 'paid'
                  WHEN i.overdue_at IS NOT NULL AND NOT s.reopened THEN 'overdue'
                  WHEN s.paid - s.overpaid + s.credit > 0 THEN 'partially_paid' ELSE 'open' END,
    overdue_at = CASE WHEN NOT s.reopened THEN i.overdue_at END,
    reopened_at = CASE WHEN s.reopened THEN now() ELSE i.reopened_at END,
    original_due_date = CASE WHEN s.reopened AND s.week_ahead > i.due_date
                             THEN coalesce(i.original_due_date, i.due_date) ELSE i.original_due_date END,
    due_date = CASE WHEN s.reopened THEN greatest(i.due_date, s.week_ahead) ELSE i.due_date END,
    paid_at = CASE WHEN i.status <> 'void' AND s.due = 0 AND s.total > 0 THEN coalesce(i.paid_at, now()) END
  FROM (
    SELECT x.id, x.organization_id, l.total, d.discount, c.credit, c.overpaid, p.paid, b.due,
           x.status = 'paid' AND b.due > 0 AS reopened,
           CASE WHEN x.status = 'paid' AND b.due > 0
                THEN (SELECT app.local_day(o.timezone) + 7 FROM organizations o WHERE o.id = x.organization_id) END AS week_ahead
      FROM chapter_invoices x
      CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0)::bigint AS total FROM invoice_line_items
        WHERE organization_id = x.organization_id AND invoice_id = x.id) l
      CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0)::bigint AS discount FROM invoice_discounts
        WHERE organization_id = x.organization_id AND invoice_id = x.id AND voided_at IS NULL) d
      CROSS JOIN LATERAL (
        SELECT coalesce(-sum(app.credit_effect(e)) FILTER (WHERE root.kind = 'applied'), 0)::bigint AS credit,
               coalesce(sum(CASE e.kind WHEN 'shortfall' THEN -e.amount_cents ELSE app.credit_effect(e) END)
                 FILTER (WHERE root.kind NOT IN ('applied', 'moved_out', 'moved_in') AND root.payment), 0)::bigint AS overpaid
          FROM chapter_account_credits e
          LEFT JOIN chapter_account_credits o ON o.organization_id = e.organization_id AND o.id = e.reverses
          CROSS JOIN LATERAL (SELECT coalesce(o.kind, e.kind) AS kind,
            coalesce(o.payment_record_id, e.payment_record_id) IS NOT NULL AS payment) root
         WHERE e.organization_id = x.organization_id AND e.invoice_id = x.id) c
      CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents - refunded_cents), 0)::bigint AS paid FROM payment_records
        WHERE organization_id = x.organization_id AND invoice_id = x.id AND status = 'succeeded') p
      CROSS JOIN LATERAL (SELECT CASE x.status WHEN 'void' THEN 0
        ELSE greatest(l.total - d.discount - c.credit - p.paid + c.overpaid, 0) END AS due) b
     WHERE x.id = ANY(ids)) s
  WHERE i.organization_id = s.organization_id AND i.id = s.id
    -- unchanged rows are not written, because each write touches all indexes
    AND (i.total_cents, i.discount_cents, i.credit_cents, i.paid_cents, i.overpaid_cents, i.balance_due_cents, i.status)
      IS DISTINCT FROM (s.total, s.discount, s.credit, s.paid, s.overpaid, s.due,
        CASE WHEN i.status = 'void' THEN 'void' WHEN s.due = 0 AND s.total > 0 THEN 'paid'
             WHEN i.overdue_at IS NOT NULL THEN 'overdue'
             WHEN s.paid - s.overpaid + s.credit > 0 THEN 'partially_paid' ELSE 'open' END) $$;
REVOKE ALL ON FUNCTION app.recompute_invoices(uuid[]) FROM PUBLIC;
