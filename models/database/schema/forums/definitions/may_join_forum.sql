-- Whether a user has a membership with access in the chapter of a forum, in its region, or in the organization. Only
-- such a membership lets a person join.
CREATE OR REPLACE FUNCTION app.may_join_forum(p_organization uuid, p_user uuid, p_chapter uuid, p_region uuid)
  RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM memberships m
     WHERE m.organization_id = p_organization AND m.user_id = p_user AND app.gives_access(m.status)
       AND (p_chapter IS NULL OR m.chapter_id = p_chapter)
       AND (p_region IS NULL OR EXISTS (SELECT FROM chapters c
         WHERE c.organization_id = p_organization AND c.id = m.chapter_id AND c.region_id = p_region))) $$;
