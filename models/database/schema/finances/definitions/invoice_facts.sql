-- Facts of an invoice for a notification, if the recipient may see the invoice and the type's condition holds.
CREATE OR REPLACE FUNCTION app.invoice_facts(p_organization uuid, p_invoice uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', sees.office_of, 'description', i.description, 'due_date', to_char(i.due_date, 'YYYY-MM-DD'),
           'instalment', (SELECT plan.words FROM app.installment_in_words(i.organization_id, i.id, i.due_date) plan),
           'amount', CASE WHEN sees.amounts THEN app.money_fact(i.balance_due_cents, i.currency, ' ', ' is due.') END)
         || app.balance_facts(i.balance_due_cents, i.currency, i.due_date, i.reopened_at, sees.amounts)
    FROM chapter_invoices i
   CROSS JOIN LATERAL app.sees_invoice(i.organization_id, i.chapter_id, i.membership_id, p_recipient) sees
   WHERE i.organization_id = p_organization AND i.id = p_invoice AND sees.amounts IS NOT NULL
     AND CASE
       WHEN p_type IN ('invoice_issued', 'invoice_changed') THEN i.status <> 'void'
       WHEN p_type IN ('invoice_due_soon', 'invoice_overdue') THEN EXISTS (
         SELECT FROM (SELECT app.local_day(o.timezone) AS today FROM organizations o WHERE o.id = i.organization_id OFFSET 0) local
          CROSS JOIN LATERAL app.may_request_payment(i.organization_id, i.id, i.status, i.balance_due_cents, local.today) request
          WHERE request.allowed AND (p_type = 'invoice_due_soon' OR i.status = 'overdue' OR i.due_date < local.today)) END $$;
