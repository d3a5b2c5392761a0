-- Whether dunning is suspended for an invoice because a plan request within the organization's limits is pending:
-- until two days after the due date at filing, whether or not the request has been decided by then.
CREATE OR REPLACE FUNCTION app.invoice_is_frozen(p_organization uuid, p_invoice uuid, p_today date) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM payment_plan_requests r
    WHERE r.organization_id = p_organization AND r.invoice_id = p_invoice AND r.status = 'pending'
      AND p_today <= r.freeze_anchor + 2) $$;
