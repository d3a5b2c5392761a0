-- Facts of a payment for a notification, if the recipient may see its invoice and the type's condition holds.
CREATE OR REPLACE FUNCTION app.payment_facts(p_organization uuid, p_payment uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', sees.office_of, 'description', i.description, 'invoice', i.id,
           'amount', CASE WHEN sees.amounts THEN app.money_fact(p.amount_cents, i.currency, ' of ') END,
           'given_back', CASE WHEN sees.amounts THEN app.money_fact(p.refunded_cents, i.currency, ' Refunded in total: ', '.') END)
         || app.balance_facts(i.balance_due_cents, i.currency, i.due_date, i.reopened_at, sees.amounts)
    FROM payment_records p
    JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
   CROSS JOIN LATERAL app.sees_invoice(i.organization_id, i.chapter_id, i.membership_id, p_recipient) sees
   WHERE p.organization_id = p_organization AND p.id = p_payment AND sees.amounts IS NOT NULL
     AND CASE
       WHEN p_type = 'payment_recorded' THEN p.status = 'succeeded'
       WHEN p_type = 'payment_failed' THEN p.status = 'failed'
       WHEN p_type IN ('payment_refunded', 'payment_disputed') THEN p.refunded_cents > 0
       WHEN p_type IN ('payment_not_refunded', 'payment_reinstated') THEN p.refund_failed_cents > 0 END $$;
