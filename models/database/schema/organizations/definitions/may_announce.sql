-- Whether a person may currently publish a bulletin to a chapter, a region, or the organization. Must match
-- api/organizations/bulletins/policy.ts.
CREATE OR REPLACE FUNCTION app.may_announce(p_organization uuid, p_region uuid, p_chapter uuid, p_user uuid)
  RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT app.may_act_in_chapter(p_organization, p_chapter, p_user, CASE WHEN p_chapter IS NULL THEN 'organization' ELSE 'officer' END)
    OR EXISTS (SELECT FROM regional_admins r JOIN users u ON u.id = r.user_id AND u.disabled_at IS NULL
                WHERE r.organization_id = p_organization AND r.region_id = p_region AND r.user_id = p_user AND r.is_active) $$;
