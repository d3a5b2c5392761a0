-- Payer of an invoice, who is notified of it.
CREATE OR REPLACE FUNCTION app.invoice_payer(p_organization uuid, p_invoice uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT payer.user_id FROM chapter_invoices i
   CROSS JOIN LATERAL app.payer_of(i.organization_id, i.chapter_id, i.membership_id) payer
   WHERE i.organization_id = p_organization AND i.id = p_invoice $$;
