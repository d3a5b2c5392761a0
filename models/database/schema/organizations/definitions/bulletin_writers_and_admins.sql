-- People who wrote and scheduled a bulletin, and the organization's admins.
CREATE OR REPLACE FUNCTION app.bulletin_writers_and_admins(p_organization uuid, p_bulletin uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT who.user_id FROM bulletins b CROSS JOIN LATERAL (
      SELECT b.author_id AS user_id
      UNION
      SELECT b.decided_by WHERE b.decided_by IS NOT NULL
      UNION
      SELECT a.user_id FROM app.appointed_admins(b.organization_id) a) who
   WHERE b.organization_id = p_organization AND b.id = p_bulletin $$;
