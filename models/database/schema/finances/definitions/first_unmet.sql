-- When the first row of a plan is due that is not met: neither ticked by hand nor covered, with those before it, by what was paid since
-- the plan was granted. With all of them met it is the last one: what is due then is a fee, or money that went back.
CREATE OR REPLACE FUNCTION app.first_unmet(p_organization uuid, p_plan uuid) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT coalesce(min(n.due_date) FILTER (WHERE n.reconciled_at IS NULL AND n.up_to > n.paid), max(n.due_date))
    FROM (SELECT r.due_date, r.reconciled_at, sum(r.amount_cents) OVER (ORDER BY r.sequence) AS up_to,
                 app.paid_of_plan(p, i) AS paid
            FROM payment_plans p
            JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
            JOIN payment_plan_installments r ON r.organization_id = p.organization_id AND r.plan_id = p.id
           WHERE p.organization_id = p_organization AND p.id = p_plan) n $$;
