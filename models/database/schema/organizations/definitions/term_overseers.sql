-- People responsible for the office of an officer's term.
CREATE OR REPLACE FUNCTION app.term_overseers(p_organization uuid, p_term uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT o.user_id FROM officer_terms t CROSS JOIN LATERAL app.overseers_of_chapter(t.organization_id, t.chapter_id) o
   WHERE t.organization_id = p_organization AND t.id = p_term $$;
