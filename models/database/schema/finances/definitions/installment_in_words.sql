-- Describes in words the installment that is due on a date for an invoice; no row without an active plan.
CREATE OR REPLACE FUNCTION app.installment_in_words(p_organization uuid, p_invoice uuid, p_due_date date)
  RETURNS TABLE (words text) LANGUAGE sql STABLE AS $$
  SELECT ', installment ' || r.sequence || ' of ' ||
         (SELECT count(*) FROM payment_plan_installments a WHERE a.organization_id = p.organization_id AND a.plan_id = p.id)
    FROM payment_plans p JOIN payment_plan_installments r ON r.organization_id = p.organization_id AND r.plan_id = p.id
     AND r.due_date = p_due_date
   WHERE p.organization_id = p_organization AND p.invoice_id = p_invoice AND p.status = 'active'
   ORDER BY r.sequence DESC LIMIT 1 $$;
