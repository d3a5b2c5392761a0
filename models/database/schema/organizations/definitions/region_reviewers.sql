-- Admins of each chapter's region: active ones whose accounts are enabled.
CREATE OR REPLACE VIEW region_reviewers WITH (security_invoker = true) AS
  SELECT c.organization_id, c.id AS chapter_id, a.user_id FROM chapters c
    JOIN regional_admins a ON a.organization_id = c.organization_id AND a.region_id = c.region_id AND a.is_active
    JOIN users u ON u.id = a.user_id AND u.disabled_at IS NULL;
GRANT SELECT ON region_reviewers TO :"runtime";
