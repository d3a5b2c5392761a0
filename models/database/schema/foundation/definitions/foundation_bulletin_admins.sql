-- The people who are told of a bulletin on hold: the admins of the foundation.
CREATE OR REPLACE FUNCTION app.foundation_bulletin_admins(p_organization uuid, p_bulletin uuid)
  RETURNS TABLE (user_id uuid) LANGUAGE sql STABLE AS $$
  SELECT a.user_id FROM app.active_foundation_admins(p_organization) a $$;
