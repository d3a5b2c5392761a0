-- Whether a user is in the scope of a forum: by a membership with access there, or by an office there.
CREATE OR REPLACE FUNCTION app.in_forum_scope(p_organization uuid, p_user uuid, p_chapter uuid, p_region uuid)
  RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT app.may_join_forum(p_organization, p_user, p_chapter, p_region)
    OR EXISTS (SELECT FROM organization_admins a
                WHERE a.organization_id = p_organization AND a.user_id = p_user AND a.is_active)
    OR EXISTS (SELECT FROM regional_admins r
                WHERE r.organization_id = p_organization AND r.user_id = p_user AND r.is_active
                  AND (p_region IS NULL OR r.region_id = p_region)
                  AND (p_chapter IS NULL OR EXISTS (SELECT FROM chapters c
                    WHERE c.organization_id = p_organization AND c.id = p_chapter AND c.region_id = r.region_id))) $$;
