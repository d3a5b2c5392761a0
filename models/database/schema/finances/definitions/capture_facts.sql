-- Facts of a charge for a notification to the organization's admins, if the type's condition holds.
CREATE OR REPLACE FUNCTION app.capture_facts(p_organization uuid, p_capture uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', p_organization, 'processor', p.label,
           'amount', app.money_fact(c.amount_cents - c.refunded_cents, coalesce(c.currency, 'usd'), p_without => 'An amount'))
    FROM processor_captures c
    JOIN org_payment_processors p ON p.organization_id = c.organization_id AND p.id = c.processor_id
   WHERE c.organization_id = p_organization AND c.id = p_capture
     AND EXISTS (SELECT FROM app.active_admins(p_organization) a WHERE a.user_id = p_recipient)
     AND CASE p_type
       WHEN 'payment_unmatched' THEN c.remittance_id IS NULL AND c.invoice_id IS NULL AND c.disposition = 'flagged'
       WHEN 'refund_failed' THEN true END $$;
