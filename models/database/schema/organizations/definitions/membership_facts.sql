-- Facts of a membership for a notification to its member.
CREATE OR REPLACE FUNCTION app.membership_facts(p_organization uuid, p_membership uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('chapter', c.name, 'status', replace(m.status, '_', ' '), 'role', m.role)
    FROM memberships m JOIN chapters c ON c.organization_id = m.organization_id AND c.id = m.chapter_id
   WHERE m.organization_id = p_organization AND m.id = p_membership AND m.user_id = p_recipient $$;
