-- Reports whether a person may currently see amounts of a chapter's finances. Administrators of the organization and of
-- the chapter's region always may; officers of the chapter may if the organization's setting allows it. If p_chapter is
-- null, the amounts are those of the whole organization. People may always see what they owe themselves; callers check
-- that separately. Must match `seesAmounts` in api/finances/amounts.ts.
CREATE OR REPLACE FUNCTION app.sees_amounts(p_organization uuid, p_chapter uuid, p_user uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM app.active_admins(p_organization) a WHERE a.user_id = p_user)
      OR EXISTS (SELECT FROM users u WHERE u.id = p_user AND u.is_platform_admin AND u.disabled_at IS NULL)
      OR EXISTS (SELECT FROM region_reviewers v
                  WHERE v.organization_id = p_organization AND v.chapter_id = p_chapter AND v.user_id = p_user)
      OR (app.officers_see_amounts(p_organization)
          AND EXISTS (SELECT FROM officers_in_standing o
                       WHERE o.organization_id = p_organization AND o.chapter_id = p_chapter AND o.user_id = p_user)) $$;
