-- Deciders of a request to join a forum: its moderators and admins, except the requester.
CREATE OR REPLACE FUNCTION app.forum_join_deciders(p_organization uuid, p_membership uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT who.user_id FROM forum_memberships m CROSS JOIN LATERAL app.forum_moderators(m.organization_id, m.forum_id) who
   WHERE m.organization_id = p_organization AND m.id = p_membership AND m.status = 'requested'
     AND who.user_id <> m.user_id $$;
