-- Facts of an ended dues run for a notification to admins.
CREATE OR REPLACE FUNCTION app.dues_run_facts(p_organization uuid, p_run uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', p_organization, 'term', t.name,
           'status', CASE r.status WHEN 'stopped_right_lost' THEN 'stopped, because its starter is no longer an administrator'
             ELSE r.status END,
           'issued', r.invoices_issued, 'planned', r.invoices_planned)
    FROM dues_runs r JOIN terms t ON t.organization_id = r.organization_id AND t.id = r.term_id
   WHERE r.organization_id = p_organization AND r.id = p_run AND r.status <> 'running'
     AND EXISTS (SELECT FROM app.active_admins(p_organization) a WHERE a.user_id = p_recipient) $$;
