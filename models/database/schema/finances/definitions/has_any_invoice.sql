-- Whether an organization has an invoice, independent of the tenant of the transaction. A ledger check that examined no
-- rows compares itself with this.
CREATE OR REPLACE FUNCTION app.has_any_invoice(p_organization uuid) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM chapter_invoices WHERE organization_id = p_organization) $$;
REVOKE ALL ON FUNCTION app.has_any_invoice(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.has_any_invoice(uuid) TO :"runtime";
