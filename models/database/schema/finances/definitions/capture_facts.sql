-- Facts of a charge for a notification to the admins of the processor's account; no row unless the condition of the
-- notification type holds.
CREATE OR REPLACE FUNCTION app.capture_facts(p_organization uuid, p_capture uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', app.money_office(p_organization, p.purpose), 'processor', p.label,
           'amount', app.money_fact(c.amount_cents - c.refunded_cents, coalesce(c.currency, 'usd'), p_without => 'An amount'),
           'page', CASE p.purpose WHEN 'dues' THEN 'unmatched-payments' ELSE 'foundation/unmatched-payments' END,
           'unmatched', CASE p.purpose WHEN 'dues' THEN 'matches no invoice. Refund it, or keep it as a payer’s credit.'
             ELSE 'matches no gift. Refund it.' END,
           'remedy', CASE p.purpose WHEN 'dues'
             THEN 'If the payment matches no invoice, it is under Unmatched payments, where you can decide again.'
             ELSE 'You can refund the gift again.' END)
    FROM processor_captures c
    JOIN org_payment_processors p ON p.organization_id = c.organization_id AND p.id = c.processor_id
   WHERE c.organization_id = p_organization AND c.id = p_capture
     AND EXISTS (SELECT FROM app.money_admins(p_organization, p.id) a WHERE a.user_id = p_recipient)
     AND CASE p_type
       WHEN 'payment_unmatched' THEN num_nonnulls(c.remittance_id, c.invoice_id, c.donation_id) = 0 AND c.disposition = 'flagged'
       WHEN 'gift_unmatched' THEN c.disposition = 'flagged'
       WHEN 'refund_failed' THEN true END $$;
