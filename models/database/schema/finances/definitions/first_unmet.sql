-- Due date of the first unmet installment of a plan: neither ticked by hand nor covered, together with earlier ones,
-- by payments since the plan was granted. If all are met, the last due date: what is due then is a fee or refunded
-- money.
CREATE OR REPLACE FUNCTION app.first_unmet(p_organization uuid, p_plan uuid) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT coalesce(min(n.due_date) FILTER (WHERE n.reconciled_at IS NULL AND n.up_to > n.paid), max(n.due_date))
    FROM (SELECT r.due_date, r.reconciled_at, sum(r.amount_cents) OVER (ORDER BY r.sequence) AS up_to,
                 app.paid_of_plan(p, i) AS paid
            FROM payment_plans p
            JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
            JOIN payment_plan_installments r ON r.organization_id = p.organization_id AND r.plan_id = p.id
           WHERE p.organization_id = p_organization AND p.id = p_plan) n $$;
