-- Active plans of an organization whose next installment was due before a day. The invoice of a plan is due with that
-- installment.
CREATE OR REPLACE FUNCTION app.late_plans(p_organization uuid, p_day date)
  RETURNS TABLE (id uuid, invoice_id uuid, membership_id uuid, due_date date) LANGUAGE sql STABLE AS $$
  SELECT p.id, i.id, p.membership_id, i.due_date FROM payment_plans p
    JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id AND i.balance_due_cents > 0
     AND i.due_date < p_day AND p.status = 'active'
   WHERE p.organization_id = p_organization $$;
