-- Facts of a bulletin on hold, for a notification to the admins of the foundation; no row once it goes on.
CREATE OR REPLACE FUNCTION app.foundation_bulletin_facts(p_organization uuid, p_bulletin uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('title', b.subject) FROM foundation_bulletins b
   WHERE b.organization_id = p_organization AND b.id = p_bulletin AND b.held_at IS NOT NULL
     AND EXISTS (SELECT FROM app.active_foundation_admins(p_organization) a WHERE a.user_id = p_recipient) $$;
