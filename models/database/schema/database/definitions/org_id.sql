-- Returns the current tenant, or null. On a reused connection that once had a tenant the setting is '', which is not a
-- uuid: nullif turns it into null.
CREATE OR REPLACE FUNCTION app.org_id() RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('app.organization_id', true), '')::uuid $$;
