-- Whether a user now holds an office that gives access to a chapter's matters.
CREATE OR REPLACE FUNCTION app.holds_office(p_organization uuid, p_chapter uuid, p_user uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT app.offices_of(p_organization, p_user) && ARRAY[p_organization, p_chapter] $$;
