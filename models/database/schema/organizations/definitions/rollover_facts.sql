-- Facts of an ended rollover for a notification to admins.
CREATE OR REPLACE FUNCTION app.rollover_facts(p_organization uuid, p_rollover uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', p_organization, 'year', r.academic_year,
           'status', CASE r.status
             WHEN 'stopped_right_lost' THEN 'stopped, because the person who confirmed it is no longer an administrator'
             WHEN 'revert_stopped_right_lost' THEN 'not fully reverted, because the person who requested it is no longer an administrator'
             ELSE r.status END,
           'moved', r.members_moved, 'planned', r.members_planned,
           'returned', CASE WHEN r.status IN ('reverted', 'revert_stopped_right_lost')
             THEN ' Reverted: ' || r.members_returned || '; left unchanged: ' || r.members_kept || '.' ELSE '' END)
    FROM rollovers r
   WHERE r.organization_id = p_organization AND r.id = p_rollover AND r.status NOT IN ('running', 'reverting')
     AND p_recipient IN (SELECT a.user_id FROM app.appointed_admins(p_organization) a) $$;
