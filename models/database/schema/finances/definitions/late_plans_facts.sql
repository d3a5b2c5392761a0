-- Facts about late installments for a notification to the organization's admins; they name at most five payers.
CREATE OR REPLACE FUNCTION app.late_plans_facts(p_organization uuid, p_subject uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', p_organization, 'count', count(*),
           'list', string_agg(late.line, '; ' ORDER BY late.due_date, late.id) FILTER (WHERE late.place <= 5),
           'more', CASE WHEN count(*) > 5 THEN ' And ' || count(*) - 5 || ' more.' END)
    FROM (SELECT p.id, p.due_date, row_number() OVER (ORDER BY p.due_date, p.id) AS place,
            left(u.first_name || ' ' || u.last_name, 60)
              || coalesce((SELECT w.words FROM app.installment_in_words(p_organization, p.invoice_id, p.due_date) w), '')
              || ' (' || to_char(p.due_date, 'YYYY-MM-DD') || ')' AS line
            FROM (SELECT app.local_day(o.timezone) AS today FROM organizations o WHERE o.id = p_organization OFFSET 0) local
           CROSS JOIN LATERAL app.late_plans(p_organization, local.today) p
            JOIN memberships m ON m.organization_id = p_organization AND m.id = p.membership_id JOIN users u ON u.id = m.user_id) late
   WHERE EXISTS (SELECT FROM app.active_admins(p_organization) a WHERE a.user_id = p_recipient)
  HAVING count(*) > 0 $$;
