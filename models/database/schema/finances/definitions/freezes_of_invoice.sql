-- Pending plan requests that suspend dunning for an invoice on a day. Only requests within the organization's limits do
-- this, until two days after the due date that the invoice had when the request was made.
CREATE OR REPLACE FUNCTION app.freezes_of_invoice(p_organization uuid, p_invoice uuid, p_today date) RETURNS TABLE (id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT r.id FROM payment_plan_requests r
   WHERE r.organization_id = p_organization AND r.invoice_id = p_invoice AND r.status = 'pending'
     AND p_today <= r.freeze_anchor + 2 $$;
