-- Nobody is dunned while a request to pay by instalments waits: one within the organization's limits, until two days after the
-- invoice was due when it was asked for. The day after that it is over, whether somebody has decided or not.
CREATE OR REPLACE FUNCTION app.invoice_is_frozen(p_organization uuid, p_invoice uuid, p_today date) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM payment_plan_requests r
    WHERE r.organization_id = p_organization AND r.invoice_id = p_invoice AND r.status = 'pending'
      AND p_today <= r.freeze_anchor + 2) $$;
