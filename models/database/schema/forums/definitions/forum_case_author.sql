-- The author of the text of a case.
CREATE OR REPLACE FUNCTION app.forum_case_author(p_organization uuid, p_case uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT k.author_id FROM forum_cases k WHERE k.organization_id = p_organization AND k.id = p_case $$;
