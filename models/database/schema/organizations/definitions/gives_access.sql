-- Whether a membership in this status lets its holder in.
CREATE OR REPLACE FUNCTION app.gives_access(status text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT status NOT IN ('pnm','disaffiliated','inactive') $$;
