-- Facts of a failing mail server, for the organization's admins.
CREATE OR REPLACE FUNCTION app.mail_server_facts(p_organization uuid, p_settings uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', p_organization, 'organization', o.name, 'host', s.smtp_host, 'step', f.step, 'answer', f.answer)
    FROM mail_server_failures f JOIN notification_settings s USING (organization_id) JOIN organizations o ON o.id = s.organization_id
   WHERE f.organization_id = p_organization AND s.id = p_settings
     AND EXISTS (SELECT FROM app.active_admins(p_organization) a WHERE a.user_id = p_recipient) $$;
