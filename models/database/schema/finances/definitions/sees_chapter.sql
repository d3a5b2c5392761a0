-- Returns what a user sees of a chapter's finances. `amounts` tells whether the user may see amounts, and is null if
-- the user has no office for the chapter. `office_of` is the chapter.
CREATE OR REPLACE FUNCTION app.sees_chapter(p_organization uuid, p_chapter uuid, p_user uuid)
  RETURNS TABLE (amounts boolean, office_of uuid) LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN app.holds_office(p_organization, p_chapter, p_user)
           THEN app.sees_amounts(p_organization, p_chapter, p_user) END, p_chapter OFFSET 0 $$;
