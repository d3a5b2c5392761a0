-- Returns what a person may learn of a receipt from the code that is printed on it. The tenant is not known yet, and no
-- names are returned.
CREATE OR REPLACE FUNCTION app.receipt_of_code(p_code text)
  RETURNS TABLE (kind text, tax_year int, number text, given_on text, issued_on text, amount_cents bigint, currency text,
                 status text, successor text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.kind, r.tax_year, r.number, r.printed->>'given_on', r.printed->>'issued_on', r.amount_cents, r.currency,
         r.status, s.number
    FROM tax_receipts r JOIN organizations o ON o.id = r.organization_id
    LEFT JOIN tax_receipts s ON s.organization_id = r.organization_id AND s.replaces = r.id
   WHERE r.code = p_code AND o.is_active $$;
REVOKE ALL ON FUNCTION app.receipt_of_code(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.receipt_of_code(text) TO :"runtime";
