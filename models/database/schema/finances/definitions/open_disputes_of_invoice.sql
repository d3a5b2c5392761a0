-- Open disputes of payments of an invoice. Its payments are read first (OFFSET 0): without row statistics Postgres would
-- read all charges of the organization for each invoice.
CREATE OR REPLACE FUNCTION app.open_disputes_of_invoice(p_organization uuid, p_invoice uuid) RETURNS TABLE (id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT d.id FROM (SELECT p.organization_id, p.processor_id, p.intent_id FROM payment_records p
           WHERE p.organization_id = p_organization AND p.invoice_id = p_invoice OFFSET 0) p
    JOIN processor_captures c ON c.organization_id = p.organization_id AND c.processor_id = p.processor_id AND c.intent_id = p.intent_id
    JOIN payment_disputes d ON d.organization_id = c.organization_id AND d.capture_id = c.id AND d.status = 'open' $$;
