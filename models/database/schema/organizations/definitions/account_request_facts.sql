-- Facts of a pending account request for a notification to its deciders.
CREATE OR REPLACE FUNCTION app.account_request_facts(p_organization uuid, p_request uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', p_organization, 'person', r.first_name || ' ' || r.last_name) FROM account_requests r
   WHERE r.organization_id = p_organization AND r.id = p_request AND r.status = 'pending'
     AND p_recipient IN (SELECT d.user_id FROM app.account_request_deciders(p_organization, p_request) d) $$;
