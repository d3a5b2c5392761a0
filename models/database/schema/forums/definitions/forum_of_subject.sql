-- The forum of the subject of a notification; null for a subject of another area.
CREATE OR REPLACE FUNCTION app.forum_of_subject(p_organization uuid, p_type text, p_subject uuid) RETURNS uuid
  LANGUAGE sql STABLE AS $$
  SELECT CASE p_type
    WHEN 'forum_post' THEN (SELECT p.forum_id FROM forum_posts p WHERE p.organization_id = p_organization AND p.id = p_subject)
    WHEN 'forum_membership' THEN (SELECT m.forum_id FROM forum_memberships m
                                   WHERE m.organization_id = p_organization AND m.id = p_subject)
    WHEN 'forum_case' THEN (SELECT k.forum_id FROM forum_cases k WHERE k.organization_id = p_organization AND k.id = p_subject)
    WHEN 'forum_text' THEN coalesce(
      (SELECT p.forum_id FROM forum_posts p WHERE p.organization_id = p_organization AND p.id = p_subject),
      (SELECT c.forum_id FROM forum_comments c WHERE c.organization_id = p_organization AND c.id = p_subject)) END $$;
