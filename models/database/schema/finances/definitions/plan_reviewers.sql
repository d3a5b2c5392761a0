-- Users who decide on a payment plan request: the organization's admins, and, if the organization lets regions approve
-- plans, the admins of the chapter's region. The member concerned never decides.
CREATE OR REPLACE FUNCTION app.plan_reviewers(p_organization uuid, p_request uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT w.user_id FROM payment_plan_requests r
    JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
   CROSS JOIN LATERAL (
     SELECT a.user_id FROM app.active_admins(r.organization_id) a
      UNION
     SELECT v.user_id FROM region_reviewers v
       JOIN org_dues_settings s ON s.organization_id = v.organization_id AND s.plan_regional_approval
      WHERE v.organization_id = r.organization_id AND v.chapter_id = r.chapter_id) w
   WHERE w.user_id <> m.user_id AND r.organization_id = p_organization AND r.id = p_request $$;
