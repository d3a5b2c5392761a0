-- Facts of a stuck process for a notification, while the process is stuck and if the recipient may see it. Its cause is
-- 'stuck:' and the workflow id, because the subject of a notification is a uuid. `process` is the id in URLs (base64url).
CREATE OR REPLACE FUNCTION app.process_stuck_facts(p_organization uuid, p_subject uuid, p_recipient uuid, p_type text, p_cause text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', p_organization, 'kind', replace(i.kind, '_', ' '),
           'process', translate(rtrim(encode(convert_to(i.workflow_id, 'UTF8'), 'base64'), E'=\n'), E'+/\n', '-_'))
    FROM process_incidents i
   WHERE i.organization_id = p_organization AND i.workflow_id = substr(p_cause, length('stuck:') + 1)
     AND EXISTS (SELECT FROM app.active_admins(p_organization) a WHERE a.user_id = p_recipient
                  UNION ALL SELECT FROM app.active_foundation_admins(p_organization) a WHERE a.user_id = p_recipient) $$;
