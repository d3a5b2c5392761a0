-- Returns the ids of organizations in which a person wants a digest today: daily ones, and weekly ones if today is
-- their day.
CREATE OR REPLACE FUNCTION app.digest_organizations(p_weekly boolean) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id FROM organizations o
   WHERE o.is_active AND EXISTS (SELECT FROM digest_preferences p
     WHERE p.organization_id = o.id AND (p.frequency = 'daily' OR (p_weekly AND p.frequency = 'weekly'))) $$;
REVOKE ALL ON FUNCTION app.digest_organizations(boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.digest_organizations(boolean) TO :"runtime";
