-- Offices through which a user may see data of others: the organization, if they administer it, and each chapter that
-- they lead or whose region they administer; and the foundation, if they administer it. A notification sent through an office (notifications.office_of) is listed
-- while the office is among these.
CREATE OR REPLACE FUNCTION app.offices_of(p_organization uuid, p_user uuid) RETURNS uuid[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(held.id), '{}') FROM (
    SELECT p_organization AS id FROM app.active_admins(p_organization) a WHERE a.user_id = p_user
    UNION ALL
    SELECT f.foundation_id FROM foundation_admins f
     WHERE f.organization_id = p_organization AND f.user_id = p_user AND f.role = 'admin'
    UNION ALL
    SELECT o.chapter_id FROM officers_in_standing o WHERE o.organization_id = p_organization AND o.user_id = p_user
    UNION ALL
    SELECT r.chapter_id FROM region_reviewers r WHERE r.organization_id = p_organization AND r.user_id = p_user) held $$;
