-- Facts of a payment reminder: all that the payer owes now or within the organization's reminder days, with up to three
-- invoices by name. Returns no row if the due dates of all invoices that caused the reminder have changed
-- (`is_due_still`). Notices are looked up per invoice (OFFSET 0), because without row statistics Postgres would read
-- all notices of the organization. Invoices of members and of chapters are found by one index each, because a chapter
-- may have many.
CREATE OR REPLACE FUNCTION app.reminder_facts(p_organization uuid, p_reminder uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', (array_agg(due.office_of))[1],
           'list', string_agg(due.line, '; ' ORDER BY due.due_date, due.id) FILTER (WHERE due.place <= 3),
           'what', CASE WHEN count(*) = 1 THEN min(due.description) ELSE count(*) || ' invoices' END,
           'more', CASE WHEN count(*) > 3 THEN ' And ' || count(*) - 3 || ' more.' END,
           'amount', CASE WHEN bool_and(due.amounts)
             THEN app.money_fact(sum(due.balance_due_cents)::bigint, min(due.currency), ' In all ', ' is due.') END,
           'plans', CASE WHEN bool_or(due.may_ask) THEN ' If you cannot pay the full amount now, you can request to pay in installments.' END)
    FROM (
      SELECT i.id, i.due_date, i.description, i.balance_due_cents, i.currency, sees.amounts, sees.office_of,
             row_number() OVER (ORDER BY i.due_date, i.id) AS place,
             '"' || left(i.description, 60) || '"' || coalesce(CASE WHEN plan.is_there
               THEN (SELECT p.words FROM app.installment_in_words(i.organization_id, i.id, i.due_date) p) END, '')
               || ' (' || CASE WHEN i.due_date < x.today THEN 'since' WHEN i.due_date = x.today THEN 'today,'
                 WHEN i.due_date = x.today + 1 THEN 'tomorrow,' ELSE 'in ' || i.due_date - x.today || ' days,' END
               || ' ' || to_char(i.due_date, 'YYYY-MM-DD') || ')' AS line,
             i.membership_id IS NOT NULL AND x.plans AND NOT plan.is_there AS may_ask,
             noticed.as_due AND NOT EXISTS (SELECT FROM app.freezes_of_invoice(i.organization_id, i.id, r.own_day)) AS is_due_still
        FROM (SELECT r.*, app.local_day(o.timezone) AS own_day FROM payment_reminders r JOIN organizations o ON o.id = r.organization_id
               WHERE r.organization_id = p_organization AND r.id = p_reminder OFFSET 0) r
       CROSS JOIN LATERAL (SELECT greatest(r.day, r.own_day) AS today,
           coalesce((SELECT max(one) FROM unnest(app.reminder_days_before(r.organization_id)) one), 0) AS days,
           coalesce((SELECT s.payment_plans_enabled AND s.plan_requesters <> 'officers' FROM org_dues_settings s
             WHERE s.organization_id = r.organization_id), false) AS plans OFFSET 0) x
       CROSS JOIN LATERAL (
         SELECT * FROM chapter_invoices
          WHERE organization_id = r.organization_id AND membership_id = r.membership_id AND chapter_id = r.chapter_id
         UNION ALL
         SELECT * FROM chapter_invoices
          WHERE organization_id = r.organization_id AND chapter_id = r.chapter_id AND payer_type = 'chapter' AND r.membership_id IS NULL) i
       CROSS JOIN LATERAL (SELECT (SELECT bool_or(k.moved_to IS NOT DISTINCT FROM app.moved_due_date(i.original_due_date, i.due_date))
           FROM invoice_reminders k
           WHERE k.organization_id = i.organization_id AND k.invoice_id = i.id AND k.reminder_id = r.id) AS as_due OFFSET 0) noticed
       CROSS JOIN LATERAL app.sees_invoice(i.organization_id, i.chapter_id, i.membership_id, p_recipient) sees
       CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM payment_plans p
           WHERE p.organization_id = i.organization_id AND p.invoice_id = i.id AND p.status = 'active') AS is_there OFFSET 0) plan
       CROSS JOIN LATERAL app.may_request_payment(i.organization_id, i.id, i.status, i.balance_due_cents, x.today) request
       WHERE sees.amounts IS NOT NULL AND request.allowed
         AND (i.due_date <= x.today + x.days OR noticed.as_due IS NOT NULL)) due
  HAVING bool_or(due.is_due_still) $$;
