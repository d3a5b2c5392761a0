-- Organizations whose only active admin is this person. First locks all organizations that the person administers, by
-- id, so that of two admins who leave at the same time the second one sees that the first has left.
CREATE OR REPLACE FUNCTION app.administered_alone(p_user uuid) RETURNS TABLE (id uuid, name text, slug text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM organizations o
    WHERE o.id IN (SELECT f.organization_id FROM affiliations f WHERE f.user_id = p_user AND f.kind = 'organization_admin')
    ORDER BY o.id FOR NO KEY UPDATE;
  RETURN QUERY SELECT o.id, o.name, o.slug
    FROM affiliations f JOIN organizations o ON o.id = f.organization_id
   WHERE f.user_id = p_user AND f.kind = 'organization_admin'
     AND NOT EXISTS (SELECT FROM app.active_admins(o.id) a WHERE a.user_id <> p_user) ORDER BY o.name, o.id;
END $$;
REVOKE ALL ON FUNCTION app.administered_alone(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.administered_alone(uuid) TO :"runtime";
