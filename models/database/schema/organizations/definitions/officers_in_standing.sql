-- Officers of each chapter, without those whose accounts are disabled.
CREATE OR REPLACE VIEW officers_in_standing WITH (security_invoker = true) AS
  SELECT m.organization_id, m.chapter_id, m.user_id FROM memberships m
    JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
   WHERE app.leads_chapter(m.role, m.status);
GRANT SELECT ON officers_in_standing TO :"runtime";
