-- Whether a membership in this status gives access.
CREATE OR REPLACE FUNCTION app.gives_access(status text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT status NOT IN ('pnm','disaffiliated','inactive') $$;
