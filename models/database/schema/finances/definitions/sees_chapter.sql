-- Returns what a user sees of a chapter's finances: `amounts` is whether they see amounts, and null without an office for the
-- chapter; `office_of` is the chapter.
CREATE OR REPLACE FUNCTION app.sees_chapter(p_organization uuid, p_chapter uuid, p_user uuid)
  RETURNS TABLE (amounts boolean, office_of uuid) LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN app.holds_office(p_organization, p_chapter, p_user)
           THEN app.sees_amounts(p_organization, p_chapter, p_user) END, p_chapter OFFSET 0 $$;
