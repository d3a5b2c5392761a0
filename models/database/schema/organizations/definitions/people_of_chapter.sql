-- Recipients of a notification to a chapter: people whose membership in it gives access.
CREATE OR REPLACE FUNCTION app.people_of_chapter(p_organization uuid, p_audience uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT m.user_id FROM memberships m JOIN users u ON u.id = m.user_id AND u.placeholder_in IS NULL
   WHERE m.organization_id = p_organization AND m.chapter_id = p_audience AND app.gives_access(m.status) $$;
