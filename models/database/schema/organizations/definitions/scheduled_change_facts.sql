-- Facts of a scheduled change that was not applied, for a notification. `office_of` is null for the person who
-- scheduled it.
CREATE OR REPLACE FUNCTION app.scheduled_change_facts(p_organization uuid, p_change uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', CASE WHEN p_recipient <> r.requested_by THEN p_organization END,
           'person', (SELECT m.name FROM app.name_of_member(r.organization_id, r.membership_id) m),
           'reason', replace(r.refusal, '_', ' '), 'day', r.effective_on::text)
    FROM membership_scheduled_changes r
   WHERE r.organization_id = p_organization AND r.id = p_change AND r.state IN ('refused', 'failed')
     AND p_recipient IN (SELECT w.user_id FROM app.scheduled_change_recipients(p_organization, p_change) w) $$;
