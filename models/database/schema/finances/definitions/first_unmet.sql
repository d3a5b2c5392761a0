-- Due date of a plan's first installment that is not met. An installment is met if it was ticked by hand, or if the
-- payments since the plan was granted cover it and all earlier ones. If all are met, the last due date: any amount
-- still due is then a fee or refunded money.
CREATE OR REPLACE FUNCTION app.first_unmet(p_organization uuid, p_plan uuid) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT coalesce(min(n.due_date) FILTER (WHERE n.reconciled_at IS NULL AND n.up_to > n.paid), max(n.due_date))
    FROM (SELECT r.due_date, r.reconciled_at, sum(r.amount_cents) OVER (ORDER BY r.sequence) AS up_to,
                 app.paid_of_plan(p, i) AS paid
            FROM payment_plans p
            JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
            JOIN payment_plan_installments r ON r.organization_id = p.organization_id AND r.plan_id = p.id
           WHERE p.organization_id = p_organization AND p.id = p_plan) n $$;
