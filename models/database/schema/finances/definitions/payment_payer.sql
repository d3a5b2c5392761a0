-- Payer of a payment's invoice, who is notified of the payment.
CREATE OR REPLACE FUNCTION app.payment_payer(p_organization uuid, p_payment uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT payer.user_id FROM payment_records p
   CROSS JOIN LATERAL app.invoice_payer(p.organization_id, p.invoice_id) payer
   WHERE p.organization_id = p_organization AND p.id = p_payment $$;
