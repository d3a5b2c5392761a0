-- nullif: a reused connection that once had a tenant returns '', which is not a uuid
CREATE OR REPLACE FUNCTION app.org_id() RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('app.organization_id', true), '')::uuid $$;
