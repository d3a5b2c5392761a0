-- Bulletins that a user can see now, dismissed or not. A bulletin that has been sent stays published even if the person
-- who published or scheduled it loses the right to announce.
CREATE OR REPLACE FUNCTION app.visible_bulletins(p_organization uuid, p_user uuid)
  RETURNS TABLE (id uuid, title text, region_id uuid, chapter_id uuid, is_pinned boolean, publish_at timestamptz)
  LANGUAGE sql STABLE AS $$
  SELECT b.id, b.title, b.region_id, b.chapter_id, b.is_pinned, b.publish_at FROM bulletins b
   WHERE b.organization_id = p_organization AND b.publish_at <= now() AND (b.expires_at IS NULL OR b.expires_at > now())
     AND (b.told_edition = b.edition
       OR app.may_announce(b.organization_id, b.region_id, b.chapter_id, coalesce(b.decided_by, b.author_id))
         AND (b.chapter_id IS NULL OR EXISTS (SELECT FROM chapters c
           WHERE c.organization_id = b.organization_id AND c.id = b.chapter_id AND c.status = 'active')))
     AND CASE b.target_type
       WHEN 'organization' THEN true
       WHEN 'chapter' THEN EXISTS (SELECT FROM memberships m
         WHERE m.organization_id = b.organization_id AND m.user_id = p_user AND m.chapter_id = b.chapter_id
           AND app.gives_access(m.status))
       ELSE EXISTS (SELECT FROM memberships m
         JOIN chapters c ON c.organization_id = m.organization_id AND c.id = m.chapter_id
         WHERE m.organization_id = b.organization_id AND m.user_id = p_user AND c.region_id = b.region_id
           AND app.gives_access(m.status))
         OR EXISTS (SELECT FROM regional_admins r
         WHERE r.organization_id = b.organization_id AND r.user_id = p_user AND r.region_id = b.region_id AND r.is_active) END $$;
