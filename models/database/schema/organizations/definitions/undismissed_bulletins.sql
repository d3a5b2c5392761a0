-- Bulletins that a user can see now and has not dismissed.
CREATE OR REPLACE FUNCTION app.undismissed_bulletins(p_organization uuid, p_user uuid)
  RETURNS TABLE (id uuid, title text, region_id uuid, chapter_id uuid, is_pinned boolean, publish_at timestamptz)
  LANGUAGE sql STABLE AS $$
  SELECT v.id, v.title, v.region_id, v.chapter_id, v.is_pinned, v.publish_at FROM app.visible_bulletins(p_organization, p_user) v
   WHERE NOT EXISTS (SELECT FROM bulletin_dismissals d
     WHERE d.organization_id = p_organization AND d.bulletin_id = v.id AND d.user_id = p_user) $$;
