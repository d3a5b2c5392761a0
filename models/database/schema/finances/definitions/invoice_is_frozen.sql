-- Whether dunning is suspended for an invoice on a day.
CREATE OR REPLACE FUNCTION app.invoice_is_frozen(p_organization uuid, p_invoice uuid, p_today date) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM app.freezes_of_invoice(p_organization, p_invoice, p_today)) $$;
