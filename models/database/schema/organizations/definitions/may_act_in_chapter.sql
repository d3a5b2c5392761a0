-- Whether a user currently has the given authority in a chapter: as an admin of the organization, as an admin of the
-- chapter's region, or as an officer. A platform admin has every authority everywhere; without an organization, only a
-- platform admin has any. Scheduled changes check this on their day, and bulk processes before each batch
-- (holdsRight.ts).
CREATE OR REPLACE FUNCTION app.may_act_in_chapter(p_organization uuid, p_chapter uuid, p_user uuid, p_hand text) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.disabled_at IS NULL AND (
    u.is_platform_admin
    OR EXISTS (SELECT FROM organization_admins a
                WHERE a.organization_id = p_organization AND a.user_id = p_user AND a.is_active)
    OR p_hand IN ('region', 'officer') AND EXISTS (
      SELECT FROM chapters c JOIN regional_admins r
          ON r.organization_id = c.organization_id AND r.region_id = c.region_id AND r.user_id = p_user AND r.is_active
       WHERE c.organization_id = p_organization AND c.id = p_chapter)
    OR p_hand = 'officer' AND EXISTS (
      SELECT FROM memberships m WHERE m.organization_id = p_organization AND m.chapter_id = p_chapter
         AND m.user_id = p_user AND app.leads_chapter(m.role, m.status)))) $$;
