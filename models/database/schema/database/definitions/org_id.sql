-- nullif: a connection that once had a tenant answers '' afterwards, which is no uuid
CREATE OR REPLACE FUNCTION app.org_id() RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('app.organization_id', true), '')::uuid $$;
