-- Whether a user may keep a membership of a forum: invited members need access to the organization, all others to the
-- chapter, region or organization of the forum.
CREATE OR REPLACE FUNCTION app.keeps_forum_membership(
  p_organization uuid, p_user uuid, p_chapter uuid, p_region uuid, p_by_invitation boolean)
  RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT app.in_forum_scope(p_organization, p_user,
    CASE WHEN NOT p_by_invitation THEN p_chapter END, CASE WHEN NOT p_by_invitation THEN p_region END) $$;
