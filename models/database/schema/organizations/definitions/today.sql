-- Current date of the tenant.
CREATE OR REPLACE FUNCTION app.today() RETURNS date LANGUAGE sql STABLE AS $$
  SELECT app.local_day(timezone) FROM organizations WHERE id = (SELECT app.org_id()) $$;
