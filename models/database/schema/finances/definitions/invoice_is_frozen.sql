-- False until payment plans exist; then: a pending, in-policy request whose window still runs.
CREATE OR REPLACE FUNCTION app.invoice_is_frozen(p_organization uuid, p_invoice uuid, p_today date) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT false $$;
